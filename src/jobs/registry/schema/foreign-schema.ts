import { isShallow, MOST_LEVELS } from '#src/lib/assert-shallow.ts';
import { MOST_COMPILE_COST, ownCompileCost } from './compile-cost.ts';
import { at, type ContractFault } from './contract-fault.ts';
import { endlessFault } from './endless-fault.ts';
import { follow } from './follow.ts';
import { type ForeignSchema, isRecord, type Kind, keywords } from './keywords.ts';
import { patternBounds, patternCost, patternMistake } from './patterns.ts';

/** Bounds of one schema of a registered contract. */
export const schemaBounds = {
  /** Bytes of its JSON. */
  bytes: 65_536,
  /** Schemas within schemas. */
  depth: 32,
  /** Schemas in all. */
  schemas: 300,
  /** Values of an `enum`. */
  values: 1_000,
  patterns: 20,
  /** Characters of a pattern. */
  pattern: 500,
  /** Greatest number of items that may be compared with each other. */
  unique: 1_000,
} as const;

const drafts = ['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2020-12/schema#'];

/** Units that the schemas of one contract have taken so far: of patterns, and of everything else. */
export interface CompileCost {
  patterns: number;
  schemas: number;
  /** Patterns that are counted: each is compiled once. */
  readonly texts: Set<string>;
}

export const beginCompileCost = (): CompileCost => ({ patterns: 0, schemas: 0, texts: new Set() });

/**
 * Finds the first thing in a schema that no process should work with: what is remote, unbounded or unknown. A schema
 * without a fault is JSON Schema 2020-12 of bounded size, whose references stay in it and whose patterns are RE2's.
 *
 * @param path JSON pointer of the schema in its contract
 * @param cost what the other schemas of the contract take; that of this one is added
 */
export function schemaFault(
  schema: unknown,
  path: string,
  cost: CompileCost = beginCompileCost(),
): ContractFault | null {
  if (!isShallow(schema))
    return { path, message: `expected a schema of at most ${MOST_LEVELS} levels of JSON, got a deeper one` };
  const text = JSON.stringify(schema) ?? '';
  const bytes = Buffer.byteLength(text);
  if (bytes > schemaBounds.bytes)
    return { path, message: `expected a schema of at most ${schemaBounds.bytes} bytes, got ${bytes}` };
  return (
    walk(schema, path, {
      root: schema,
      at: path,
      depth: 0,
      seen: { schemas: 0, patterns: 0, anchors: new Set() },
      cost,
    }) ?? endlessFault(schema, path)
  );
}

interface Walk {
  readonly root: unknown;
  /** JSON pointer of the root in its contract. */
  readonly at: string;
  readonly depth: number;
  readonly seen: { schemas: number; patterns: number; readonly anchors: Set<string> };
  readonly cost: CompileCost;
}

function walk(schema: unknown, path: string, state: Walk): ContractFault | null {
  if (typeof schema !== 'boolean' && !isRecord(schema))
    return { path, message: `expected a JSON Schema (an object or a boolean), got ${kindOf(schema)}` };
  state.cost.schemas += ownCompileCost(schema);
  if (state.cost.schemas > MOST_COMPILE_COST)
    return {
      path,
      message: `expected schemas that take at most ${MOST_COMPILE_COST} units of work to be compiled, all of the contract together, got more up to here`,
    };
  if (typeof schema === 'boolean') return null;
  if (state.depth > schemaBounds.depth)
    return { path, message: `expected schemas at most ${schemaBounds.depth} deep, got a deeper one` };
  state.seen.schemas++;
  if (state.seen.schemas > schemaBounds.schemas)
    return { path, message: `expected at most ${schemaBounds.schemas} schemas in one, got more` };
  for (const [name, value] of Object.entries(schema)) {
    const fault = keywordFault(schema, name, value, at(path, name), state);
    if (fault) return fault;
  }
  return null;
}

function keywordFault(
  schema: ForeignSchema,
  name: string,
  value: unknown,
  path: string,
  state: Walk,
): ContractFault | null {
  if (name.startsWith('x-')) return null;
  const kind = keywords.get(name);
  if (kind === undefined)
    return {
      path,
      message:
        'expected a keyword of JSON Schema 2020-12 that needs nothing outside the schema, or one that begins with x-',
    };
  return faults[kind]({ schema, name, value, path, state });
}

interface Keyword {
  readonly schema: ForeignSchema;
  readonly name: string;
  readonly value: unknown;
  readonly path: string;
  readonly state: Walk;
}

const deeper = (state: Walk): Walk => ({ ...state, depth: state.depth + 1 });

/** Checks of a keyword's value, by its kind. */
const faults: Readonly<Record<Kind, (keyword: Keyword) => ContractFault | null>> = {
  schema: ({ value, path, state }) => walk(value, path, deeper(state)),
  schemas: ({ value, path, state }) =>
    Array.isArray(value)
      ? first(value.map((one, index) => () => walk(one, at(path, index), deeper(state))))
      : { path, message: `expected an array of schemas, got ${kindOf(value)}` },
  named: ({ schema, name, value, path, state }) =>
    isRecord(value)
      ? first(
          Object.entries(value).map(([key, one]) => () => {
            if (name === 'definitions' && isRecord(schema['$defs']) && Object.hasOwn(schema['$defs'], key))
              return { path: at(path, key), message: 'expected each definition once, got one that $defs has as well' };
            const pattern = name === 'patternProperties' ? patternFault(key, at(path, key), state) : null;
            return pattern ?? walk(one, at(path, key), deeper(state));
          }),
        )
      : { path, message: `expected schemas by name, got ${kindOf(value)}` },
  pattern: ({ value, path, state }) => patternFault(value, path, state),
  ref: ({ value, path, state }) => referenceFault(value, path, state),
  id: ({ value, path, state }) =>
    typeof value === 'string' && state.depth === 0
      ? null
      : { path, message: 'expected $id at the root alone, as a text: no reference may need it' },
  anchor: ({ value, path, state }) => anchorFault(value, path, state),
  value: ({ schema, name, value, path }) => valueFault(schema, name, value, path),
  note: ({ name, value, path }) =>
    name === '$schema' && !drafts.includes(String(value))
      ? { path, message: `expected JSON Schema 2020-12 (${drafts[0]}), got ${JSON.stringify(value)}` }
      : null,
};

/** Each name leads to one place. */
function anchorFault(value: unknown, path: string, { seen }: Walk): ContractFault | null {
  if (typeof value !== 'string' || !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(value))
    return { path, message: 'expected a name of letters, digits, -, . and _, which begins with a letter or _' };
  if (seen.anchors.has(value)) return { path, message: `expected each $anchor once, got ${value} again` };
  seen.anchors.add(value);
  return null;
}

/** Patterns run on input of others: only what a linear-time engine compiles is taken. */
function patternFault(pattern: unknown, path: string, { seen, cost }: Walk): ContractFault | null {
  if (typeof pattern !== 'string') return { path, message: `expected a pattern as text, got ${kindOf(pattern)}` };
  if (pattern.length > schemaBounds.pattern)
    return { path, message: `expected a pattern of at most ${schemaBounds.pattern} characters, got ${pattern.length}` };
  seen.patterns++;
  if (seen.patterns > schemaBounds.patterns)
    return { path, message: `expected at most ${schemaBounds.patterns} patterns, got more` };
  const units = Math.ceil(patternCost(pattern));
  if (units > patternBounds.one)
    return {
      path,
      message: `expected a pattern that takes at most ${patternBounds.one} units of work to be compiled, got ${units}: counted repeats, classes of Unicode and (?i) make it expensive`,
    };
  if (!cost.texts.has(pattern)) cost.patterns += units;
  cost.texts.add(pattern);
  if (cost.patterns > patternBounds.all)
    return {
      path,
      message: `expected patterns that take at most ${patternBounds.all} units of work to be compiled, all of the contract together, got ${cost.patterns} up to here`,
    };
  const mistake = patternMistake(pattern);
  if (mistake === null) return null;
  return { path, message: `expected a pattern of RE2 (no look-around, no back-references), got one with ${mistake}` };
}

function referenceFault(value: unknown, path: string, { root, at: rootPath }: Walk): ContractFault | null {
  if (typeof value !== 'string' || !/^#(?:\/|$|[A-Za-z_])/.test(value))
    return {
      path,
      message: `expected a reference into the same schema, such as #/$defs/item, got ${JSON.stringify(value)}`,
    };
  const target = follow(root, value);
  if (typeof target === 'boolean' || isRecord(target)) return null;
  return { path, message: `expected a reference to a schema that is there, got ${value} (of ${rootPath})` };
}

function valueFault(schema: ForeignSchema, name: string, value: unknown, path: string): ContractFault | null {
  if (name === 'enum' && (!Array.isArray(value) || value.length === 0 || value.length > schemaBounds.values))
    return { path, message: `expected 1 to ${schemaBounds.values} values, got ${countOf(value)}` };
  // without scalars every item is compared with every other
  if (name === 'uniqueItems' && value === true && !isScalar(schema['items']) && !isFew(schema['maxItems']))
    return {
      path,
      message: `expected maxItems of at most ${schemaBounds.unique} beside uniqueItems, since items that are no plain values are compared one by one`,
    };
  return null;
}

const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Checks whether all items of a list have one plain type: then those that are the same are found in one pass. */
export function isScalar(items: unknown): boolean {
  return isRecord(items) && typeof items['type'] === 'string' && scalars.has(items['type']);
}

function isFew(most: unknown): boolean {
  return typeof most === 'number' && most <= schemaBounds.unique;
}

function first(checks: readonly (() => ContractFault | null)[]): ContractFault | null {
  for (const check of checks) {
    const fault = check();
    if (fault) return fault;
  }
  return null;
}

function countOf(value: unknown): string {
  return Array.isArray(value) ? String(value.length) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
