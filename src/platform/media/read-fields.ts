import type { TSchema } from 'typebox';
import { readDecimal } from '#src/lib/decimal.ts';
import { findOverflow } from '#src/lib/validation/number-overflow.ts';

type Shape = {
  readonly type?: string;
  readonly items?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
};

/**
 * The texts of a form as the values that a schema wants: numbers and booleans by their usual spelling, objects as JSON,
 * one value where a list may be. What is spelt otherwise stays a text, for the check to name.
 */
export function readFields(
  schema: TSchema,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, Shape>> };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      valueOf(Object.hasOwn(properties, name) ? properties[name] : undefined, value),
    ]),
  );
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  number: readNumber,
  integer: readNumber,
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  object: readJson,
};

function valueOf(shape: Shape | undefined, value: unknown): unknown {
  const shapes = shape === undefined ? [] : (shape.anyOf ?? [shape]);
  const types = shapes.map(({ type, const: only }) => type ?? typeof only);
  if (types.length > 0 && types.every((type) => type === 'array') && !Array.isArray(value)) return [value];
  if (typeof value !== 'string' || types.includes('string')) return value;
  return types.reduce<unknown>(
    (read, type) => (typeof read === 'string' ? (readers[type]?.(read) ?? read) : read),
    value,
  );
}

function readNumber(text: string): unknown {
  return readDecimal(text) ?? text;
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findOverflow(text, value) === null ? value : text;
  } catch {
    // no JSON: the check says what is expected
    return text;
  }
}
