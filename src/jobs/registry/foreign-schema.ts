import { RE2JS } from 're2js';
import { at, type ContractFault } from './contract-fault.ts';

/** A JSON Schema object that a caller wrote. */
export type ForeignSchema = Readonly<Record<string, unknown>>;

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

type Kind = 'schema' | 'schemas' | 'named' | 'value' | 'pattern' | 'ref';

const kinds = (kind: Kind, names: string) => names.split(' ').map((name) => [name, kind] as const);

/** Keywords of JSON Schema 2020-12 that a contract may use, by what their value is. */
const keywords: ReadonlyMap<string, Kind> = new Map([
  ...kinds(
    'schema',
    'additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties',
  ),
  ...kinds('schemas', 'allOf anyOf oneOf prefixItems'),
  ...kinds('named', '$defs dependentSchemas patternProperties properties'),
  ...kinds('pattern', 'pattern'),
  ...kinds('ref', '$ref'),
  ...kinds(
    'value',
    '$comment $schema const contentEncoding contentMediaType default dependentRequired deprecated description enum examples exclusiveMaximum exclusiveMinimum format maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf readOnly required title type uniqueItems writeOnly',
  ),
]);

const drafts = ['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2020-12/schema#'];

/**
 * Finds the first thing in a schema that no process should work with: what is remote, unbounded or unknown. A schema
 * without a fault is JSON Schema 2020-12 of bounded size, whose references stay in it and whose patterns are RE2's.
 *
 * @param path JSON pointer of the schema in its contract
 */
export function schemaFault(schema: unknown, path: string): ContractFault | null {
  const text = JSON.stringify(schema) ?? '';
  const bytes = Buffer.byteLength(text);
  if (bytes > schemaBounds.bytes)
    return { path, message: `expected a schema of at most ${schemaBounds.bytes} bytes, got ${bytes}` };
  return (
    walk(schema, path, { root: schema, at: path, depth: 0, seen: { schemas: 0, patterns: 0 } }) ??
    endlessFault(schema, path)
  );
}

const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', '$ref'] as const;

/** Finds a schema that applies itself to the same value: checking any value against it would never end. */
function endlessFault(root: unknown, path: string): ContractFault | null {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  const isEndless = (schema: unknown): boolean => {
    if (!isRecord(schema) || done.has(schema)) return false;
    if (open.has(schema)) return true;
    open.add(schema);
    const applied = inPlace.flatMap((name) => (Object.hasOwn(schema, name) ? partsOf(root, name, schema[name]) : []));
    const found = applied.some(isEndless);
    open.delete(schema);
    done.add(schema);
    return found;
  };
  const all = (schema: unknown): unknown[] =>
    isRecord(schema) || Array.isArray(schema) ? [schema, ...Object.values(schema).flatMap(all)] : [];
  return all(root).some(isEndless)
    ? {
        path,
        message: 'expected references that go into a value, got one by which a schema applies itself to the same value',
      }
    : null;
}

function partsOf(root: unknown, name: string, value: unknown): readonly unknown[] {
  if (name === '$ref') return [follow(root, String(value))];
  if (Array.isArray(value)) return value;
  if (name === 'dependentSchemas') return isRecord(value) ? Object.values(value) : [];
  return [value];
}

interface Walk {
  readonly root: unknown;
  /** JSON pointer of the root in its contract. */
  readonly at: string;
  readonly depth: number;
  readonly seen: { schemas: number; patterns: number };
}

function walk(schema: unknown, path: string, state: Walk): ContractFault | null {
  if (typeof schema === 'boolean') return null;
  if (!isRecord(schema))
    return { path, message: `expected a JSON Schema (an object or a boolean), got ${kindOf(schema)}` };
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
  named: ({ name, value, path, state }) =>
    isRecord(value)
      ? first(
          Object.entries(value).map(([key, one]) => () => {
            const pattern = name === 'patternProperties' ? patternFault(key, at(path, key), state) : null;
            return pattern ?? walk(one, at(path, key), deeper(state));
          }),
        )
      : { path, message: `expected schemas by name, got ${kindOf(value)}` },
  pattern: ({ value, path, state }) => patternFault(value, path, state),
  ref: ({ value, path, state }) => referenceFault(value, path, state),
  value: ({ schema, name, value, path }) => valueFault(schema, name, value, path),
};

/** Patterns run on input of others: only what a linear-time engine compiles is taken. */
function patternFault(pattern: unknown, path: string, { seen }: Walk): ContractFault | null {
  if (typeof pattern !== 'string') return { path, message: `expected a pattern as text, got ${kindOf(pattern)}` };
  if (pattern.length > schemaBounds.pattern)
    return { path, message: `expected a pattern of at most ${schemaBounds.pattern} characters, got ${pattern.length}` };
  seen.patterns++;
  if (seen.patterns > schemaBounds.patterns)
    return { path, message: `expected at most ${schemaBounds.patterns} patterns, got more` };
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { path, message: `expected a pattern of RE2 (no look-around, no back-references), got one with ${why}` };
  }
}

function referenceFault(value: unknown, path: string, { root, at: rootPath }: Walk): ContractFault | null {
  if (typeof value !== 'string' || !/^#(?:\/|$)/.test(value))
    return {
      path,
      message: `expected a reference into the same schema, such as #/$defs/item, got ${JSON.stringify(value)}`,
    };
  const target = follow(root, value);
  if (typeof target === 'boolean' || isRecord(target)) return null;
  return { path, message: `expected a reference to a schema that is there, got ${value} (of ${rootPath})` };
}

/**
 * The schema that a local reference names; undefined where there is none. What lies elsewhere, in an annotation or a value,
 * is no schema: nothing has looked at it.
 */
export function follow(root: unknown, reference: string): unknown {
  let found: unknown = root;
  let kind: Kind | undefined = 'schema';
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part);
    if (name === null || !isRecordOrArray(found) || !Object.hasOwn(found, name)) return undefined;
    kind = kind === 'schema' ? keywords.get(name) : 'schema';
    if (kind !== 'schema' && kind !== 'schemas' && kind !== 'named') return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return kind === 'schema' ? found : undefined;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}

function valueFault(schema: ForeignSchema, name: string, value: unknown, path: string): ContractFault | null {
  if (name === '$schema' && !drafts.includes(String(value)))
    return { path, message: `expected JSON Schema 2020-12 (${drafts[0]}), got ${JSON.stringify(value)}` };
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isRecordOrArray = (value: unknown) => typeof value === 'object' && value !== null;

function countOf(value: unknown): string {
  return Array.isArray(value) ? String(value.length) : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
