import { isRecord, keywords, mapSubschemas } from '#src/jobs/registry/schema/keywords.ts';
import { oneSpelling } from '#src/jobs/registry/schema/plain-schema.ts';
import type { Json } from './document.ts';

/** Notes that are about a whole document, or lead to places in one. */
const ofDocument = new Set(['$schema', 'discriminator']);

/**
 * Writes the schema of a registered contract as a part of another document: its references lead into the part, and
 * nothing in it is taken for a part of that document.
 *
 * @param schema one that the registry has taken
 * @param place reference to the part, such as `#/components/schemas/acme.resize-image.payload`
 */
export function plainForeign(schema: unknown, place: string): Json {
  return placed(oneSpelling(schema), place);
}

function placed(schema: unknown, place: string): Json {
  // readers of OpenAPI are not all used to schemas that are true or false
  if (!isRecord(schema)) return schema === false ? { not: {} } : {};
  const kept = Object.fromEntries(Object.entries(schema).filter(([name, value]) => isKept(name, value)));
  const { $ref } = kept;
  const parts = mapSubschemas(kept, (one, kind) =>
    kind === 'schema' && typeof one === 'boolean' ? one : placed(one, place),
  );
  return { ...parts, ...(typeof $ref === 'string' && { $ref: `${place}${$ref.slice(1)}` }) };
}

/** Checks whether a keyword means in the other document what it means in the schema. */
function isKept(name: string, value: unknown): boolean {
  const kind = keywords.get(name);
  // a value may look like a reference
  if (kind === 'value' || kind === 'note') return !ofDocument.has(name) && !hasReference(value);
  // extensions mean something to tools that read the other document, and names are of places in one
  return kind !== undefined && kind !== 'id' && kind !== 'anchor';
}

function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference);
}
