import { isJson, type Json } from './document.ts';

/** Keywords whose value is a schema, a list of them, or schemas by name. */
const single = new Set(
  'additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const listed = new Set('allOf anyOf oneOf prefixItems'.split(' '));
const named = new Set('$defs dependentSchemas patternProperties properties'.split(' '));
/** Keywords that would begin a document of its own within the one that they are put into. */
const own = new Set(['$schema', '$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$vocabulary']);

/**
 * Writes the schema of a registered contract as a part of another document: its references lead into the part, and
 * nothing in it is taken for a part of that document.
 *
 * @param schema one that the registry has taken
 * @param place reference to the part, such as `#/components/schemas/acme.resize-image.payload`
 */
export function plainForeign(schema: unknown, place: string): Json {
  // readers of OpenAPI are not all used to schemas that are true or false
  if (!isJson(schema)) return schema === false ? { not: {} } : {};
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      const written = plainKeyword(name, value, place);
      return written === undefined ? [] : [[name, written] as const];
    }),
  );
}

/** The value of a keyword in the other document; undefined where it is left out. */
function plainKeyword(name: string, value: unknown, place: string): unknown {
  const deeper = (one: unknown) => plainForeign(one, place);
  if (name === '$ref') return typeof value === 'string' ? `${place}${value.slice(1)}` : undefined;
  if (single.has(name)) return typeof value === 'boolean' ? value : deeper(value);
  if (listed.has(name) && Array.isArray(value)) return value.map(deeper);
  if (named.has(name) && isJson(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deeper(one)]));
  // extensions mean something to tools that read the document, and a value may look like a reference
  return own.has(name) || name.startsWith('x-') || hasReference(value) ? undefined : value;
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference);
}
