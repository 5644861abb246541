/** The part of JSON Schema that paths of references are checked against, and the step that mirrors `stepIntoValue`. */
import { arrayIndex, type Stepper } from './references.ts';

type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema with the document that its `$ref`s point into. */
export interface SchemaCursor {
  readonly schema: unknown;
  readonly root: unknown;
}

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows `$ref` (`#/…` only), at most 20 in a row, so that a reference to itself ends. */
function resolved(cursor: SchemaCursor): unknown {
  let { schema } = cursor;
  for (let hops = 0; hops < 20 && isObject(schema) && typeof schema['$ref'] === 'string'; hops += 1) {
    const ref = schema['$ref'];
    if (ref !== '#' && !ref.startsWith('#/')) return {};
    let at: unknown = cursor.root;
    for (const raw of ref.split('/').slice(1)) {
      const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const holds = isObject(at) || (Array.isArray(at) && arrayIndex(key) !== undefined);
      at = holds && Object.hasOwn(at as object, key) ? (at as SchemaObject)[key] : undefined;
    }
    schema = at;
  }
  // Still a reference after so many hops: it leads nowhere, and nothing has that member.
  return isObject(schema) && typeof schema['$ref'] === 'string' ? false : schema;
}

function alternatives(schema: SchemaObject): readonly unknown[] | undefined {
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const list = schema[keyword];
    if (Array.isArray(list)) return list as readonly unknown[];
  }
  return undefined;
}

function property(schema: SchemaObject, segment: string): unknown {
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, segment)) return properties[segment];
  const rest = schema['additionalProperties'];
  // Listed properties are the whole promise unless the schema says that there are more.
  if (rest === undefined) return isObject(properties) ? undefined : {};
  return rest === false ? undefined : rest;
}

function element(schema: SchemaObject, index: number): unknown {
  const prefix = schema['prefixItems'];
  if (Array.isArray(prefix) && index < prefix.length) return prefix[index];
  const items = schema['items'];
  if (items === undefined) return Array.isArray(prefix) ? undefined : {};
  return items === false ? undefined : items;
}

/**
 * Step into a schema: `undefined` when no value of the schema has that member. A schema that promises nothing (`{}` or
 * `true`) lets every path through; of alternatives the first that has the member counts.
 */
export const stepIntoSchema: Stepper<SchemaCursor> = (cursor, segment) => {
  const schema = resolved(cursor);
  const at = (next: unknown): SchemaCursor | undefined =>
    next === undefined ? undefined : { schema: next, root: cursor.root };
  if (schema === true) return at({});
  if (!isObject(schema)) return undefined;
  const options = alternatives(schema);
  if (options !== undefined) {
    for (const option of options) {
      const step = stepIntoSchema({ schema: option, root: cursor.root }, segment);
      if (step !== undefined) return step;
    }
    return undefined;
  }
  const type = schema['type'];
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? ['object', 'array'] : [type];
  const index = arrayIndex(segment);
  if (types.includes('array') && index !== undefined) {
    const next = at(element(schema, index));
    if (next !== undefined) return next;
  }
  return types.includes('object') ? at(property(schema, segment)) : undefined;
};

/** JSON types that a schema allows, as far as it says: an empty list means any. */
export function typesOf(cursor: SchemaCursor): readonly string[] {
  const schema = resolved(cursor);
  if (!isObject(schema)) return [];
  const options = alternatives(schema);
  if (options !== undefined) {
    const lists = options.map((option) => typesOf({ schema: option, root: cursor.root }));
    return lists.some((list) => list.length === 0) ? [] : [...new Set(lists.flat())].sort();
  }
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((entry): entry is string => typeof entry === 'string') : [];
}

/** Whether a value of one of `from` can be one of `to`; nothing is coerced, an integer is a number. */
export function typesOverlap(from: readonly string[], to: readonly string[]): boolean {
  if (from.length === 0 || to.length === 0) return true;
  return from.some(
    (type) =>
      to.includes(type) ||
      (type === 'integer' && to.includes('number')) ||
      (type === 'number' && to.includes('integer')),
  );
}
