import { follow } from '#src/jobs/registry/schema/follow.ts';
import { isRecord, type ForeignSchema as Schema } from '#src/jobs/registry/schema/keywords.ts';

/** Schemas that one type is made of at most: references within references could otherwise grow without end. */
const MOST_SCHEMAS = 3_000;

interface Walk {
  readonly root: unknown;
  /** References that are being followed; one that comes again is a circle. */
  readonly within: readonly string[];
  readonly seen: { schemas: number };
}

/**
 * Writes a JSON Schema as a TypeScript type, on several lines where it is an object. Keywords that types cannot express
 * are left out; what is no known keyword, goes round in a circle or is too large is `unknown`. Nothing in a schema can
 * end the type: names and values are quoted, and comments cannot be closed from inside.
 */
export function schemaType(schema: unknown): string {
  return typeOf(schema, { root: schema, within: [], seen: { schemas: 0 } });
}

/** Text as a comment above a line; empty without text. */
export function commentOf(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') return '';
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, 300).replaceAll('*/', '*\\/');
  return `/** ${line} */\n`;
}

function typeOf(schema: unknown, walk: Walk): string {
  walk.seen.schemas += 1;
  if (schema === false) return 'never';
  if (!isRecord(schema) || walk.seen.schemas > MOST_SCHEMAS) return 'unknown';
  const parts = keywords.flatMap((write) => write(schema, walk) ?? []).filter((part) => part !== 'unknown');
  return parts.length === 0 ? 'unknown' : parts.map((part) => bracketed(part, parts.length > 1)).join(' & ');
}

/** Each says what its keywords mean as a type; undefined where the schema has none of them. */
const keywords: readonly ((schema: Schema, walk: Walk) => string | undefined)[] = [
  ({ $ref: reference }, walk) => (typeof reference === 'string' ? referred(reference, walk) : undefined),
  (schema) => ('const' in schema ? literal(schema['const']) : undefined),
  ({ enum: values }) => (Array.isArray(values) ? union(values.map(literal)) : undefined),
  ({ anyOf: choices }, walk) => (Array.isArray(choices) ? union(choices.map((one) => typeOf(one, walk))) : undefined),
  ({ oneOf: choices }, walk) => (Array.isArray(choices) ? union(choices.map((one) => typeOf(one, walk))) : undefined),
  ({ allOf: all }, walk) =>
    Array.isArray(all) ? all.map((one) => bracketed(typeOf(one, walk), true)).join(' & ') : undefined,
  ({ type, ...schema }, walk) => {
    if ('const' in schema || 'enum' in schema) return undefined;
    const types = [type ?? (isRecord(schema['properties']) ? 'object' : [])].flat();
    return types.length === 0 ? undefined : union(types.map((name) => named(name, schema, walk)));
  },
];

/** Types that have the same name in both. */
const names = ['string', 'number', 'boolean', 'null'] as const;

function named(name: unknown, schema: Schema, walk: Walk): string {
  if (name === 'object') return objectType(schema, walk);
  if (name === 'array') return arrayType(schema, walk);
  if (name === 'integer') return 'number';
  return names.find((one) => one === name) ?? 'unknown';
}

function objectType(schema: Schema, walk: Walk): string {
  const { properties, required, additionalProperties: more, patternProperties: patterns } = schema;
  const values = [...(isRecord(patterns) ? Object.values(patterns) : []), ...(isRecord(more) ? [more] : [])];
  const index = values.length === 0 ? [] : [`[key: string]: ${union(values.map((one) => typeOf(one, walk)))};`];
  if (!isRecord(properties) || Object.keys(properties).length === 0) {
    if (index.length > 0) return `{ ${index.join('')} }`;
    return more === false ? '{ [key: string]: never }' : '{ [key: string]: unknown }';
  }
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([key, value]) => {
    const comment = isRecord(value) ? commentOf(value['description']) : '';
    return `${comment}${nameOf(key)}${needed.has(key) ? '' : '?'}: ${typeOf(value, walk)};`;
  });
  // members of other types than the index would not fit it
  const open = index.length > 0 ? ['[key: string]: unknown;'] : [];
  return `{\n${indented([...members, ...open].join('\n'))}\n}`;
}

function arrayType({ items, prefixItems: first }: Schema, walk: Walk): string {
  if (!Array.isArray(first)) return items === undefined ? 'unknown[]' : `${bracketed(typeOf(items, walk), true)}[]`;
  const rest =
    items === false ? [] : [`...${items === undefined ? 'unknown' : bracketed(typeOf(items, walk), true)}[]`];
  return `[${[...first.map((one) => typeOf(one, walk)), ...rest].join(', ')}]`;
}

function referred(reference: string, walk: Walk): string {
  if (walk.within.includes(reference) || !reference.startsWith('#')) return 'unknown';
  return typeOf(follow(walk.root, reference), { ...walk, within: [...walk.within, reference] });
}

/** A value as a type: JSON is TypeScript. */
const literal = (value: unknown): string => JSON.stringify(value);

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('unknown')) return 'unknown';
  const possible = distinct.filter((type) => type !== 'never');
  return possible.length === 0 ? 'never' : possible.map((type) => bracketed(type, possible.length > 1)).join(' | ');
}

/** A type that stands beside others. */
function bracketed(type: string, isPart: boolean): string {
  return isPart && / [|&] /.test(type) && !/^[{[]/.test(type) ? `(${type})` : type;
}

const nameOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
