import { pointerSteps } from '#src/lib/json-pointer.ts';

type Schema = Readonly<Record<string, unknown>> | boolean;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));

/** Keywords beside which a schema of properties or items does not say everything. */
const branching = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'patternProperties', '$dynamicRef'];

/**
 * Finds the part of a JSON Schema that is about the value at a JSON pointer. True where the schema does not say: anything
 * may be there. False where no value that fits has one there.
 */
export function schemaAt(schema: unknown, pointer: string): Schema {
  let at: Schema = isSchema(schema) ? schema : true;
  for (const step of pointerSteps(pointer)) {
    if (typeof at === 'boolean') return at;
    if (branching.some((keyword) => keyword in (at as object))) return true;
    at = stepInto(at, step);
  }
  return at;
}

function stepInto(schema: Readonly<Record<string, unknown>>, step: string): Schema {
  const types = typesOf(schema);
  const { properties, additionalProperties, items, prefixItems } = schema;
  if (types && !types.includes('object') && !types.includes('array')) return false;
  const isIndex = /^\d+$/.test(step);
  const mayBeList = !types || types.includes('array');
  if (types && !types.includes('object') && !isIndex) return false;
  if (mayBeList && types && !types.includes('object')) {
    if (Array.isArray(prefixItems)) return true;
    return isSchema(items) ? items : true;
  }
  if (mayBeList && isIndex) return true;
  const known = isSchema(properties) && typeof properties === 'object' ? properties : {};
  if (Object.hasOwn(known, step)) return isSchema(known[step]) ? known[step] : true;
  return isSchema(additionalProperties) ? additionalProperties : true;
}

/** Types that a schema allows by its own `type`; null where it does not say. */
export function typesOf(schema: unknown): readonly string[] | null {
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) return null;
  const { type } = schema;
  return Array.isArray(type) ? type.map(String) : [String(type)];
}

/** Checks whether some value of the one schema may fit the other, as far as both say their types. */
export function mayFit(source: Schema, target: Schema): boolean {
  if (source === false || target === false) return false;
  const [from, to] = [typesOf(source), typesOf(target)];
  if (!from || !to) return true;
  return from.some(
    (type) =>
      to.includes(type) ||
      (type === 'integer' && to.includes('number')) ||
      (type === 'number' && to.includes('integer')),
  );
}
