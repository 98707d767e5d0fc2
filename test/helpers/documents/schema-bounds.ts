import fc from 'fast-check';
import type { Schema } from './json-schema.ts';

/** One value at a bound, and whether it is within. */
export interface BoundCase {
  readonly name: string;
  readonly value: unknown;
  readonly valid: boolean;
}

const text = (length: number) => 'a'.repeat(Math.max(0, length));

/**
 * Every bound of a schema of one property: at it, just inside and just outside, with values of other types, and members
 * that are none. `example` gives a valid value where bounds alone cannot make one (patterns, formats).
 */
export function boundsOf(name: string, schema: Schema, example: unknown): BoundCase[] {
  const at = (label: string, value: unknown, valid: boolean): BoundCase => ({
    name: `${name}: ${label}`,
    value,
    valid,
  });
  const wrongTypes = [null, {}, [], 'text', 17, true]
    .filter((value) => typeOf(value) !== schema.type && !(schema.type === 'number' && typeOf(value) === 'integer'))
    .filter((value) => !(schema.anyOf ?? []).some((one) => one.type === typeOf(value)))
    .map((value) => at(`is ${JSON.stringify(value)}`, value, false));
  return [
    ...wrongTypes,
    ...textBounds(schema, example, at),
    ...numberBounds(schema, at),
    ...listBounds(schema, example, at),
  ];
}

type At = (label: string, value: unknown, valid: boolean) => BoundCase;

function textBounds(
  { type, minLength, maxLength, enum: words, pattern, format }: Schema,
  example: unknown,
  at: At,
): BoundCase[] {
  if (type !== 'string') return [];
  if (words)
    return [...words.map((word) => at(`is ${String(word)}`, word, true)), at('is no member', 'no-member', false)];
  if (pattern !== undefined || format !== undefined) return [at('fits', example, true), at('does not fit', '∅', false)];
  return [
    ...(minLength !== undefined && minLength > 0
      ? [at(`of ${minLength - 1} characters`, text(minLength - 1), false), at(`of ${minLength}`, text(minLength), true)]
      : []),
    ...(maxLength !== undefined
      ? [at(`of ${maxLength} characters`, text(maxLength), true), at(`of ${maxLength + 1}`, text(maxLength + 1), false)]
      : []),
  ];
}

function numberBounds({ type, minimum, maximum, exclusiveMinimum }: Schema, at: At): BoundCase[] {
  if (type !== 'number' && type !== 'integer') return [];
  const step = type === 'integer' ? 1 : 0.001;
  return [
    ...(type === 'integer' ? [at('a fraction', 1.5, false)] : []),
    ...(minimum !== undefined ? [at('at its minimum', minimum, true), at('below', minimum - step, false)] : []),
    ...(maximum !== undefined ? [at('at its maximum', maximum, true), at('above', maximum + step, false)] : []),
    ...(exclusiveMinimum !== undefined
      ? [at('at its exclusive minimum', exclusiveMinimum, false), at('above it', exclusiveMinimum + step, true)]
      : []),
  ];
}

function listBounds(
  { type, items = {}, minItems, maxItems, uniqueItems }: Schema,
  example: unknown,
  at: At,
): BoundCase[] {
  if (type !== 'array') return [];
  const list = (length: number) =>
    Array.from({ length }, (_, index) => items.enum?.[index] ?? memberOf(items, example, index));
  const most = items.enum ? Math.min(maxItems ?? Infinity, items.enum.length) : maxItems;
  return [
    ...(minItems !== undefined && minItems > 0 ? [at(`of ${minItems - 1} items`, list(minItems - 1), false)] : []),
    ...(most !== undefined && most !== Infinity ? [at(`of ${most} items`, list(most), true)] : []),
    ...(maxItems !== undefined && !items.enum ? [at(`of ${maxItems + 1} items`, list(maxItems + 1), false)] : []),
    ...(maxItems !== undefined && items.enum
      ? [
          at(
            `of ${maxItems + 1} items`,
            Array.from({ length: maxItems + 1 }, () => items.enum?.[0]),
            false,
          ),
        ]
      : []),
    ...(uniqueItems ? [at('twice the same', [...list(1), ...list(1)], false)] : []),
    ...boundsOf('item', items, Array.isArray(example) ? example[0] : undefined).map(({ name, value, valid }) =>
      at(name, [value], valid),
    ),
  ];
}

function memberOf(items: Schema, example: unknown, index: number): unknown {
  if (items.pattern === undefined && items.format === undefined) return `${index}-${text((items.minLength ?? 1) + 1)}`;
  return Array.isArray(example) ? String(example[0]).replace(/\d+$/, String(index + 1)) : example;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Anything that fits a schema, and much that does not: what a fuzzer sends. */
export function near(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue() });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf && !schema.properties) return fc.oneof(...schema.anyOf.map(fitting));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  return byType[schema.type ?? '']?.(schema) ?? fc.jsonValue();
}

const byType: Readonly<Record<string, (schema: Schema) => fc.Arbitrary<unknown>>> = {
  object: (schema) => objectOf(schema),
  array: (schema) => listOf(schema),
  string: ({ format, maxLength = 200 }) =>
    format === 'uuid' ? fc.uuid() : fc.string({ unit: 'binary', maxLength: Math.min(5_000, maxLength + 1) }),
  integer: ({ minimum = 0, maximum = 1_000 }) =>
    fc.oneof(fc.integer({ min: minimum - 1, max: maximum + 1 }), fc.maxSafeInteger()),
  number: () => fc.double(),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
};

function listOf({ items = {}, minItems = 0, maxItems = 5, uniqueItems = false }: Schema): fc.Arbitrary<unknown> {
  const most = Math.min(maxItems, items.enum?.length ?? maxItems);
  const fit = uniqueItems
    ? fc.uniqueArray(fitting(items), { minLength: minItems, maxLength: most, size: 'small', selector: JSON.stringify })
    : fc.array(fitting(items), { minLength: minItems, maxLength: maxItems, size: 'small' });
  const other = fc.array(near(items), { maxLength: maxItems + 1, size: 'small' });
  return fc.oneof({ weight: 3, arbitrary: fit }, { weight: 1, arbitrary: other });
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, near(one)]));
  const model = fc.record(known, { requiredKeys: required.filter((name) => name in known) });
  const other = fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue(), { maxKeys: 1 });
  return fc.oneof(
    { weight: 8, arbitrary: model },
    { weight: 1, arbitrary: fc.tuple(model, other).map(([one, more]) => ({ ...(one as object), ...more })) },
    { weight: 1, arbitrary: fc.record(known, { requiredKeys: [] }) },
  );
}
