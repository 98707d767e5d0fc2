import type { Schema } from '#test/helpers/documents/json-schema.ts';

/** Texts for what bounds alone cannot make. */
const texts: Readonly<Record<string, string>> = {
  uuid: '0198c0de-0000-7000-8000-000000000000',
  date: '2026-11-20',
  'date-time': '2026-11-20T19:24:05.941Z',
  '^[0-9a-f]{64}$': 'a'.repeat(64),
};

/**
 * Values that fit a schema, so that each alternative, each word, each bound, and each property, there and not there, is
 * in one of them. The same schema gives the same values.
 *
 * @throws when a schema says something that is not read here: it would be tested less than it seems.
 */
export function valuesOf(schema: Schema): readonly unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(valuesOf);
  if ('const' in schema) return [schema.const];
  if (schema.enum) return schema.enum;
  const make = byType[schema.type ?? 'anything'];
  if (!make) throw new Error(`expected a type of ${Object.keys(byType).join(', ')}, got ${schema.type}`);
  return make(schema);
}

const byType: Readonly<Record<string, (schema: Schema) => readonly unknown[]>> = {
  object: objectsOf,
  array: ({ items = {}, minItems = 0, maxItems = 3 }) => {
    const members = valuesOf(items);
    const list = (length: number) => Array.from({ length }, (_, index) => members[index % members.length]);
    return [list(minItems), list(Math.max(minItems, Math.min(maxItems, members.length)))];
  },
  string: ({ pattern, format, minLength = 0, maxLength }) => {
    const known = pattern ?? format;
    if (known === undefined) return ['a'.repeat(Math.max(minLength, Math.min(1, maxLength ?? 1)))];
    const text = texts[known];
    if (text === undefined) throw new Error(`expected a text for ${known} in test/deploy/values-of.ts, got none`);
    return [text];
  },
  integer: (schema) => numbersOf(schema, 1),
  number: (schema) => numbersOf(schema, 0.5),
  boolean: () => [true, false],
  null: () => [null],
  anything: () => [{ anything: [1, 'text', null] }],
};

function numbersOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema, step: number): readonly number[] {
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + step);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - step);
  const bounds = [least, most].filter((bound) => bound !== undefined);
  return bounds.length > 0 ? bounds : [-step, 0, 1_000 * step];
}

function objectsOf({ properties = {}, required = [], additionalProperties, patternProperties = {} }: Schema) {
  const known = Object.entries(properties).map(([name, one]) => [name, valuesOf(one)] as const);
  const first = (names: readonly string[]) =>
    Object.fromEntries(known.flatMap(([name, [value]]) => (names.includes(name) ? [[name, value]] : [])));
  const whole = first(known.map(([name]) => name));
  const free = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const others = [...Object.values(patternProperties), ...free].flatMap(valuesOf);
  return [
    whole,
    first(required),
    ...known.flatMap(([name, [, ...values]]) => values.map((value) => ({ ...whole, [name]: value }))),
    ...others.map((value) => ({ ...whole, key: value })),
  ];
}
