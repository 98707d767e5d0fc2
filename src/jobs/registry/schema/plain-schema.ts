import { escapeStep, unescapeStep } from '#src/lib/json-pointer.ts';
import { keywordSteps, referenceSteps } from './follow.ts';
import { formats } from './formats.ts';
import { type ForeignSchema, isRecord, keywords, mapSubschemas } from './keywords.ts';

type Schema = ForeignSchema | boolean;

const made = new WeakMap<object, ForeignSchema>();

/**
 * Returns a schema without what says something to people alone, in {@link oneSpelling}. It takes the same values; two that
 * differ in words alone become the same.
 */
export function plainSchema(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema;
  const known = made.get(schema);
  if (known) return known;
  const plain = withoutNotes(oneSpelling(schema)) as ForeignSchema;
  made.set(schema, plain);
  return plain;
}

/** Rewrites a schema in one of the ways to write it: definitions are in `$defs`, and references are JSON pointers. */
export function oneSpelling(schema: unknown): unknown {
  return spelledPart(schema, schema);
}

function spelledPart(part: unknown, root: unknown): unknown {
  if (!isRecord(part)) return part;
  const { definitions, ...others } = part;
  const { $ref, $defs } = others;
  const all = {
    ...others,
    ...(typeof $ref === 'string' && { $ref: plainReference(root, $ref) }),
    ...(isRecord(definitions) && { $defs: { ...(isRecord($defs) && $defs), ...definitions } }),
  };
  return mapSubschemas(all, (one) => spelledPart(one, root));
}

function withoutNotes(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const said = Object.entries(part).filter(([name, value]) => isSaid(name, value));
  return mapSubschemas(Object.fromEntries(said), withoutNotes);
}

/** Checks whether the values that fit depend on a keyword. */
function isSaid(name: string, value: unknown): boolean {
  const kind = keywords.get(name);
  if (kind === undefined || kind === 'note' || kind === 'id' || kind === 'anchor') return false;
  return name !== 'format' || (typeof value === 'string' && Object.hasOwn(formats, value));
}

function plainReference(root: unknown, reference: string): string {
  const steps = referenceSteps(root, reference);
  const areKeywords = steps && keywordSteps(steps);
  if (!steps || !areKeywords) return reference;
  const written = steps.map((name, index) => (areKeywords[index] && name === 'definitions' ? '$defs' : name));
  return ['#', ...written.map(encoded)].join('/');
}

const encoded = (step: string) => encodeURIComponent(escapeStep(step)).replaceAll('%24', '$');

/** Writes a pointer into a plain schema as one into the schema that it was made of. */
export function placeIn(schema: unknown, pointer: string): string {
  let at: unknown = schema;
  const steps = pointer.split('/').slice(1);
  const written = steps.map((step) => {
    const isOther = step === '$defs' && isRecord(at) && !Object.hasOwn(at, '$defs') && isRecord(at['definitions']);
    const name = isOther ? 'definitions' : step;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[unescapeStep(name)] : undefined;
    return name;
  });
  return ['', ...written].join('/');
}
