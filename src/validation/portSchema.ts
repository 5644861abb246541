import type { PortType } from '../catalog/portTypes.ts';
import type { SchemaCursor } from '../plan/jsonSchema.ts';

/** JSON Schema of what a reference to an output of this type gives; `undefined` for what only ports can take. */
export function schemaOfPort(type: PortType): SchemaCursor | undefined {
  switch (type.kind) {
    case 'json':
      return { schema: type.schema, root: type.schema };
    case 'number':
      return { schema: { type: type.nullable === true ? ['number', 'null'] : 'number' }, root: {} };
    case 'time':
      return { schema: { type: 'string' }, root: {} };
    default:
      return undefined;
  }
}
