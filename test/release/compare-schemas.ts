import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './contracts.ts';

/** `breaks`: a program that was written for the release before may fail. `adds`: it goes on, and there is more. */
export type Effect = 'breaks' | 'adds';

/** One difference. */
export interface Finding {
  /** Name in a part of the contracts, and the place below that. */
  readonly place: string;
  readonly effect: Effect;
  readonly says: string;
}

export interface Change extends Finding {
  /** Part of the contracts: `operations`, `settings`. */
  readonly area: string;
}

type Schemas = Readonly<Record<string, Schema>>;

/** `input`: callers say it, and less may be taken. `output`: they read it, and less may be said. */
export type Direction = 'input' | 'output';

interface Comparison {
  readonly direction: Direction;
  readonly before: Schemas;
  readonly now: Schemas;
  readonly seen: Set<string>;
  readonly found: Finding[];
}

/** Finds what a later schema says more or less than an earlier one, with the names of the schemas that both refer to. */
export function compareSchemas(
  direction: Direction,
  [earlier, later]: readonly [Schema, Schema],
  [before, now]: readonly [Schemas, Schemas],
  place: string,
): readonly Finding[] {
  const comparison: Comparison = { direction, before, now, seen: new Set(), found: [] };
  walk(comparison, earlier, later, place);
  return comparison.found;
}

const nameIn = (schema: Schema): string | undefined =>
  typeof schema?.['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;

/** Follows references; a pair that was compared before says nothing new, and may refer to itself. */
function walk(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  const names = [nameIn(earlier), nameIn(later)];
  if (names.every((name) => name === undefined)) return compare(all, earlier, later, place);
  const key = `${names.join(' ')} ${JSON.stringify([earlier, later])}`;
  if (all.seen.has(key)) return;
  all.seen.add(key);
  const [one, other] = names;
  const followed = [one === undefined ? earlier : all.before[one], other === undefined ? later : all.now[other]];
  walk(all, followed[0] ?? {}, followed[1] ?? {}, other ?? one ?? place);
}

type Rule = (all: Comparison, earlier: Schema, later: Schema, place: string) => void;

function compare(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  if (typeof earlier === 'boolean' || typeof later === 'boolean') return compareBooleans(all, earlier, later, place);
  for (const rule of [types, words, members, required, bounds, opaque, rest, items, branches])
    rule(all, earlier, later, place);
}

/** Notes that a schema has less or more than before: callers who may say less break, those who read either do not. */
function note(
  all: Comparison,
  place: string,
  { less, more }: { readonly less?: string; readonly more?: string },
): void {
  if (less !== undefined) all.found.push({ place, effect: all.direction === 'input' ? 'breaks' : 'adds', says: less });
  if (more !== undefined) all.found.push({ place, effect: 'adds', says: more });
}

function compareBooleans(all: Comparison, earlier: Schema | boolean, later: Schema | boolean, place: string): void {
  const takesAll = (schema: Schema | boolean) => schema === true || Object.keys(Object(schema)).length === 0;
  if (takesAll(later) && !takesAll(earlier)) note(all, place, { more: 'takes every value now' });
  else if (!takesAll(later) && takesAll(earlier)) note(all, place, { less: 'takes not every value any more' });
}

const everyType = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const typeOf = (word: unknown): string =>
  word === null ? 'null' : Number.isInteger(word) ? 'integer' : Array.isArray(word) ? 'array' : typeof word;

function typesOf(schema: Schema): readonly string[] {
  const listed = schema['type'] === undefined ? wordsOf(schema)?.map(typeOf) : [schema['type']].flat().map(String);
  return (listed ?? everyType).flatMap((type) => (type === 'number' ? ['integer', 'number'] : [type]));
}

const isUnion = (schema: Schema): boolean =>
  !('type' in schema) && !wordsOf(schema) && ['$ref', 'anyOf', 'oneOf', 'allOf'].some((one) => one in schema);

function types(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  // a union has its types in its branches
  if (isUnion(earlier) || isUnion(later)) return;
  const [before, now] = [typesOf(earlier), typesOf(later)];
  const gone = before.filter((type) => !now.includes(type));
  const added = now.filter((type) => !before.includes(type));
  if (gone.length > 0) note(all, place, { less: `is ${gone.join(', ')} no more` });
  if (added.length === 0) return;
  const says = `may be ${added.join(', ')} now`;
  // a program that reads it has no code for it
  all.found.push({ place, effect: all.direction === 'output' ? 'breaks' : 'adds', says });
}

/** Words that a schema lists, as one list or as branches of one word each. */
function wordsOf(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  if (Array.isArray(schema['enum'])) return schema['enum'];
  const all = (listOf(schema['anyOf']) as Schema[]).map(wordsOf);
  return all.length > 0 && all.every((one) => one !== undefined) ? all.flat() : undefined;
}

function words(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  const [before, now] = [wordsOf(earlier), wordsOf(later)];
  if (now === undefined)
    return before === undefined ? undefined : note(all, place, { more: 'takes more than its words now' });
  if (before === undefined) return note(all, place, { less: `takes ${JSON.stringify(now)} alone` });
  const gone = before.filter((word) => !now.includes(word));
  const added = now.filter((word) => !before.includes(word));
  if (gone.length > 0) note(all, place, { less: `has ${JSON.stringify(gone)} no more` });
  if (added.length > 0) note(all, place, { more: `has ${JSON.stringify(added)} too` });
}

const recordOf = (value: unknown): Schemas => (typeof value === 'object' && value !== null ? (value as Schemas) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function members(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  const [before, now] = [recordOf(earlier['properties']), recordOf(later['properties'])];
  for (const [name, schema] of Object.entries(before)) {
    const other = now[name];
    const at = `${place}.${name}`;
    if (other !== undefined) walk(all, schema, other, at);
    else all.found.push({ place: at, effect: 'breaks', says: 'is gone' });
  }
  for (const name of Object.keys(now)) if (!(name in before)) note(all, `${place}.${name}`, { more: 'is new' });
}

function required(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  const [before, now] = [listOf(earlier['required']), listOf(later['required'])];
  const had = recordOf(earlier['properties']);
  for (const name of now.filter((one) => !before.includes(one)))
    note(all, `${place}.${String(name)}`, { less: 'is required now' });
  for (const name of before.filter((one) => !now.includes(one) && String(one) in had)) {
    const effect = all.direction === 'output' ? 'breaks' : 'adds';
    if (String(name) in recordOf(later['properties']))
      all.found.push({ place: `${place}.${String(name)}`, effect, says: 'is optional now' });
  }
}

const least = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const most = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

function bounds(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  for (const name of [...least, ...most]) {
    const none = least.includes(name) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const [before, now] = [earlier[name] ?? none, later[name] ?? none] as [number, number];
    if (before === now) continue;
    const isNarrower = least.includes(name) ? now > before : now < before;
    const says = `${name} is ${Number.isFinite(now) ? now : 'gone'}, was ${Number.isFinite(before) ? before : 'none'}`;
    note(all, place, isNarrower ? { less: says } : { more: says });
  }
}

/** Keywords of which two cannot be compared in general. */
function opaque(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  for (const name of ['pattern', 'format', 'multipleOf', 'not', 'propertyNames', 'uniqueItems', 'patternProperties']) {
    if (isDeepStrictEqual(earlier[name], later[name])) continue;
    if (later[name] === undefined) note(all, place, { more: `has no ${name} any more` });
    else note(all, place, { less: `${name} is ${JSON.stringify(later[name])}` });
  }
}

function rest(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  const name = 'additionalProperties';
  if (earlier[name] === undefined && later[name] === undefined) return;
  walk(all, (earlier[name] ?? true) as Schema, (later[name] ?? true) as Schema, `${place}.*`);
}

function items(all: Comparison, earlier: Schema, later: Schema, place: string): void {
  if (earlier['items'] === undefined && later['items'] === undefined) return;
  walk(all, (earlier['items'] ?? {}) as Schema, (later['items'] ?? {}) as Schema, `${place}[]`);
}

/** Each branch of before has the same one now, or is compared with the first other of its type. */
const branches: Rule = (all, earlier, later, place) => {
  if (wordsOf(earlier) && wordsOf(later)) return;
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    const [before, now] = [listOf(earlier[name]), listOf(later[name])] as [Schema[], Schema[]];
    // one alone is a union of one
    const these = before.length === 0 && now.length > 0 ? [without(earlier)] : before;
    const those = now.length === 0 && before.length > 0 ? [without(later)] : now;
    const taken = new Set<number>();
    const left = these.filter((one) => {
      const index = those.findIndex((other, n) => !taken.has(n) && isSame(all, one, other));
      if (index >= 0) taken.add(index);
      return index < 0;
    });
    const others = those.filter((_, index) => !taken.has(index));
    for (const one of left) {
      const index = others.findIndex((other) => typeIn(all.before, one) === typeIn(all.now, other));
      const [other] = index < 0 ? [] : others.splice(index, 1);
      if (other === undefined)
        note(all, place, { less: `has no ${String(typeIn(all.before, one))} in ${name} any more` });
      else walk(all, one, other, `${place}|${String(typeIn(all.now, other))}`);
    }
    if (others.length > 0) note(all, place, { more: `has ${others.length} more in ${name}` });
  }
};

/** Type of a branch, behind its reference. */
function typeIn(known: Schemas, branch: Schema): unknown {
  const name = nameIn(branch);
  return name === undefined ? branch['type'] : known[name]?.['type'];
}

const without = ({ anyOf: _any, oneOf: _one, allOf: _all, ...own }: Schema): Schema => own;

function isSame(all: Comparison, one: Schema, other: Schema): boolean {
  const [left, right] = [nameIn(one), nameIn(other)];
  if (left !== undefined && left === right) {
    walk(all, one, other, left);
    return true;
  }
  return isDeepStrictEqual(one, other);
}
