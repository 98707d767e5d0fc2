import { keywordSteps, referenceSteps } from './follow.ts';
import { formats } from './formats.ts';
import { type ForeignSchema, isRecord, keywords, mapParts } from './keywords.ts';

type Schema = ForeignSchema | boolean;

const made = new WeakMap<object, ForeignSchema>();

/**
 * Returns a schema without what says something to people alone, in one of the ways to write it: definitions are in
 * `$defs`, and references are JSON pointers. It takes the same values; two that differ in words alone become the same.
 */
export function plainSchema(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const known = made.get(schema);
  if (known) return known;
  const plain = plainPart(schema, schema) as ForeignSchema;
  made.set(schema, plain);
  return plain;
}

function plainPart(part: unknown, root: ForeignSchema): unknown {
  if (!isRecord(part)) return part;
  const said = Object.entries(part).filter(([name, value]) => isSaid(name, value));
  const { definitions, ...others } = Object.fromEntries(said) as Record<string, unknown>;
  const $ref = others['$ref'];
  const all = {
    ...others,
    ...(typeof $ref === 'string' && { $ref: plainReference(root, $ref) }),
    ...(isRecord(definitions) && { $defs: { ...(isRecord(others['$defs']) && others['$defs']), ...definitions } }),
  };
  return mapParts(all, (one) => plainPart(one, root));
}

/** False for a keyword that no value fits more or less for. */
function isSaid(name: string, value: unknown): boolean {
  const kind = keywords.get(name);
  if (kind === undefined || kind === 'note' || kind === 'id' || kind === 'anchor') return false;
  return name !== 'format' || (typeof value === 'string' && Object.hasOwn(formats, value));
}

function plainReference(root: ForeignSchema, reference: string): string {
  const steps = referenceSteps(root, reference);
  const areKeywords = steps && keywordSteps(steps);
  if (!steps || !areKeywords) return reference;
  const written = steps.map((name, index) => (areKeywords[index] && name === 'definitions' ? '$defs' : name));
  return ['#', ...written.map(encoded)].join('/');
}

const encoded = (step: string) =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('%24', '$');

/** Writes a pointer into a plain schema as one into the schema that it was made of. */
export function placeIn(schema: unknown, pointer: string): string {
  let at: unknown = schema;
  const steps = pointer.split('/').slice(1);
  const written = steps.map((step) => {
    const isOther = step === '$defs' && isRecord(at) && !Object.hasOwn(at, '$defs') && isRecord(at['definitions']);
    const name = isOther ? 'definitions' : step;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[unescaped(name)] : undefined;
    return name;
  });
  return ['', ...written].join('/');
}

const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');
