import { isScalar } from './foreign-schema.ts';
import { type ForeignSchema, isRecord } from './keywords.ts';
import { multipleCost } from './multiple-of.ts';

/** Characters of a schema that are compared with a value for the price of one evaluation. */
const COMPARED = 50;
/** Characters of a text that are counted for it. */
const COUNTED = 100;
/** Characters of a text that a format reads for it. */
const READ = 64;
/** Members of an object that are walked over for it; of a large one, which is kept as a hash table, each costs as much. */
const WALKED = 10;
const LARGE = 1_000;
/** Plain items that are looked for among the others for it. */
const SOUGHT = 20;
/** Parts of items that are compared with parts of others for it. */
const PAIRED = 100;

/** Keywords that hold what a value is compared with. */
const compared = ['const', 'enum', 'required', 'dependentRequired'] as const;
const counting = ['minLength', 'maxLength'] as const;
const walking = [
  'additionalProperties',
  'maxProperties',
  'minProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
] as const;

/**
 * Counts the parts of a value: its members and items, and a part for every 64 characters.
 *
 * @param enough number of parts beyond which there is no need to count on
 */
export function countParts(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  const waiting: unknown[] = [value];
  let parts = 0;
  for (let one = waiting.pop(); parts < enough; one = waiting.pop()) {
    parts += typeof one === 'string' ? 1 + one.length / 64 : 1;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) waiting.push(inner);
    if (waiting.length === 0) break;
  }
  return Math.ceil(parts);
}

/**
 * Returns the price of one evaluation of a part of a schema, without the parts in it, which have their own: 1, and more
 * where a keyword reads more of the value, or of the schema, than one look. Prices follow the time that it takes.
 */
export function costOf(schema: ForeignSchema): (value: unknown) => number {
  const has = (name: string) => Object.hasOwn(schema, name);
  const least = 1 + compared.reduce((sum, name) => sum + (JSON.stringify(schema[name])?.length ?? 0), 0) / COMPARED;
  const ofText = (counting.some(has) ? 1 / COUNTED : 0) + (has('format') ? 1 / READ : 0);
  const isWalked = walking.some(has);
  const { multipleOf: part } = schema;
  const ofItems = has('contains') ? 1 / COUNTED : 0;
  const unique = schema['uniqueItems'] !== true ? null : isScalar(schema['items']) ? ofPlain : ofPairs;
  if (ofText + ofItems === 0 && typeof part !== 'number' && !isWalked && !unique) return () => least;
  return (value) => {
    if (typeof value === 'string') return least + value.length * ofText;
    if (typeof value === 'number') return least + (typeof part === 'number' ? multipleCost(value, part) : 0);
    if (Array.isArray(value)) return least + value.length * ofItems + (unique?.(value) ?? 0);
    return isWalked && isRecord(value) ? least + walk(Object.keys(value).length) : least;
  };
}

const walk = (members: number) => (members > LARGE ? members : members / WALKED);

const ofPlain = (items: readonly unknown[]) => items.length / SOUGHT;

/** Every item is compared with every other; the parts themselves have to be counted first. */
const ofPairs = (items: readonly unknown[]) => ((items.length + 10) * countParts(items)) / PAIRED;
