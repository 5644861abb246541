/** What a `forEach` node gives to nodes outside its loop: all its outputs of one name, in the order of the items. */
import type { PortType } from './portTypes.ts';

/** How an element that is no JSON value stands in a gathered array (contracts.md "HTTP details": an artifact reference). */
const REFERENCE = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    sha256: { type: 'string' },
    bytes: { type: 'integer' },
    mediaType: { type: 'string' },
    type: { type: 'object', additionalProperties: true },
  },
  required: ['id', 'sha256', 'bytes', 'mediaType', 'type'],
  additionalProperties: false,
};

/** Whether an output of this type is gathered by value; all others are gathered as artifact references. */
export const isValueKind = (type: PortType): boolean =>
  type.kind === 'json' || type.kind === 'number' || type.kind === 'time';

/** References inside the schema of an element, for their new place inside the schema of the array. */
function moved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moved);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, member]: [string, unknown]) => {
      if (key !== '$ref' || typeof member !== 'string' || !member.startsWith('#')) return [key, moved(member)];
      return [key, `#/items/anyOf/0${member.slice(1)}`];
    }),
  );
}

function elementSchema(type: PortType): unknown {
  switch (type.kind) {
    case 'json':
      return moved(type.schema);
    case 'number':
      return { type: type.nullable === true ? ['number', 'null'] : 'number' };
    case 'time':
      return { type: 'string' };
    default:
      return REFERENCE;
  }
}

/** Type of the gathered output; `null` stands where an item was skipped, or failed and was tolerated. */
export function gatheredType(type: PortType): PortType {
  return { kind: 'json', schema: { type: 'array', items: { anyOf: [elementSchema(type), { type: 'null' }] } } };
}
