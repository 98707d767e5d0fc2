import { type ForeignSchema, isRecord, subschemasOf } from './keywords.ts';

/** Units that compiling the schemas of one contract may take; a unit is about 5 µs (measured on two slow cores). */
export const MOST_COMPILE_COST = 20_000;

/** Names of a list that are compiled one by one; a longer list is looked through when a value is checked. */
export const MOST_UNROLLED = 20;

const notes = { schema: 15, keyword: 5, reference: 10, listed: 1, required: 6, dependent: 24, nothing: 8 };

/** Counts the units that compiling a schema takes, without the schemas in it. The schema is a plain one. */
export function ownCompileCost(schema: unknown): number {
  if (schema === false) return notes.nothing;
  if (!isRecord(schema)) return 1;
  return Object.entries(schema).reduce((sum, [name, value]) => sum + keywordCost(name, value), notes.schema);
}

function keywordCost(name: string, value: unknown): number {
  const more = (items: unknown, each: number, most = MOST_UNROLLED) =>
    Array.isArray(items) ? Math.min(items.length, most) * each : 0;
  if (name === '$ref') return notes.keyword + notes.reference;
  if (name === 'enum') return notes.keyword + more(value, notes.listed);
  if (name === 'required') return notes.keyword + more(value, notes.required);
  if (name !== 'dependentRequired' || !isRecord(value)) return notes.keyword;
  // these are written out in full, and one within the other
  return Object.values(value).reduce<number>(
    (sum, names) => sum + notes.keyword + more(names, notes.dependent, Number.POSITIVE_INFINITY),
    notes.keyword,
  );
}

const known = new WeakMap<object, number>();

/** Counts the units that compiling a plain schema takes, with the schemas in it. */
export function compileCost(schema: ForeignSchema | boolean): number {
  if (!isRecord(schema)) return ownCompileCost(schema);
  const counted = known.get(schema);
  if (counted !== undefined) return counted;
  const cost = subschemasOf(schema).reduce(
    (sum, one) => sum + compileCost(one.schema as ForeignSchema | boolean),
    ownCompileCost(schema),
  );
  known.set(schema, cost);
  return cost;
}
