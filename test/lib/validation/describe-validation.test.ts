import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { type AjvError, describeValidation } from '#src/lib/validation/describe-validation.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';

const compile = buildValidators({});

/** What a body is told that does not fit; null for one that does. */
function told(schema: object, body: unknown): string | null {
  const check = compile({ schema, method: 'POST', url: '/', httpPart: 'body' });
  if (check(body) === true) return null;
  return describeValidation((check as unknown as { errors: AjvError[] }).errors).message;
}

const strict = { additionalProperties: false };
const Limit = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, strict);

test.each([
  [{ limit: 0 }, 'body.limit: expected a number of at least 1, got 0.'],
  [{ limit: '1' }, 'body.limit: expected integer, got "1".'],
  [{ other: 1 }, 'body.other: expected no such property, got a number.'],
  ['none', 'body: expected object or null, got "none".'],
  [null, null],
  [{ limit: 1 }, null],
])('of a body that may be left out, %j is told %j', (body, message) => {
  expect(told(Type.Union([Limit, Type.Null()]), body)).toBe(message);
});

test.each([
  [{}, 'body: expected an object with id or an object with prompt and mode, got an object.'],
  [{ prompt: 'a' }, 'body: expected an object with id or an object with prompt and mode, got an object.'],
  [{ id: 'a' }, null],
])('where one of two sets of members is needed, %j is told which', (body, message) => {
  const text = Type.Optional(Type.String());
  const anyOf = [{ required: ['id'] }, { required: ['prompt', 'mode'] }];
  expect(told(Type.Object({ id: text, prompt: text, mode: text }, { ...strict, anyOf }), body)).toBe(message);
});

const words = Type.Enum(['low', 'medium', 'high'], { type: 'string' });
const values = 'one of "low", "medium", "high"';

test.each([
  [words, 'loud', values],
  [Type.Union([words, Type.Null()]), 'loud', `${values} or null`],
  [Type.Union([words, Type.Null()]), 5, `${values} or null`],
  [Type.Union([Type.Null(), words]), 'loud', `null or ${values}`],
  [Type.Union([words, Type.Array(words)]), 'loud', `${values} or array`],
  [Type.Union([words, Type.Enum([1, 2]), Type.Null()]), 'loud', `${values} or one of 1, 2 or null`],
  [Type.Union([Type.Literal('auto'), words]), 'loud', `"auto" or ${values}`],
  [{ type: ['string', 'null'], enum: ['low', 'high', null] }, 'loud', 'one of "low", "high", null'],
])('a value that is none of few is told which they are: %j', (schema, value, expected) => {
  const got = JSON.stringify(value);
  const message = `body.verbosity: expected ${expected}, got ${got}.`;
  expect(told(Type.Object({ verbosity: Type.Unsafe(schema) }), { verbosity: value })).toBe(message);
});

const Formats = Type.Object({
  format: Type.Union([
    Type.Object({ type: Type.Enum(['text', 'json_object'], { type: 'string' }) }, strict),
    Type.Object({ type: Type.Enum(['json_schema'], { type: 'string' }), name: Type.String() }, strict),
  ]),
});

test.each([
  [{ type: 'json_object', schema: {} }, 'body.format.schema: expected no such property, got an object.'],
  [{ type: 'json_schema', name: 'a', more: 1 }, 'body.format.more: expected no such property, got a number.'],
  [{ type: 'json_schema' }, 'body.format.name: expected a value, got nothing.'],
  [{ type: 'json_schema', name: 5 }, 'body.format.name: expected string, got 5.'],
  [{ type: 'xml' }, 'body.format: expected an object with type or an object with type and name, got an object.'],
])('of forms that a member tells apart, %j is told what is wrong with the one it names', (format, message) => {
  expect(told(Formats, { format })).toBe(message);
});

const Waits = Type.Object({
  reports: Type.Array(
    Type.Union([
      Type.Object({ type: Type.Literal('log'), level: Type.String() }, strict),
      Type.Object(
        {
          type: Type.Literal('suspended'),
          on: Type.Union([
            Type.Object({ kind: Type.Literal('sleep'), until: Type.String() }, strict),
            Type.Object({ kind: Type.Literal('signal'), limit: Type.Optional(Type.Integer()) }, strict),
          ]),
        },
        strict,
      ),
    ]),
  ),
});

test.each([
  [{ type: 'suspended', on: { kind: 'signal', limit: 'x' } }, 'body.reports[0].on.limit: expected integer, got "x".'],
  [{ type: 'suspended', on: { kind: 'sleep' } }, 'body.reports[0].on.until: expected a value, got nothing.'],
  [{ type: 'suspended' }, 'body.reports[0].on: expected a value, got nothing.'],
  [{ type: 'log' }, 'body.reports[0].level: expected a value, got nothing.'],
  [{ type: 'suspended', on: { kind: 'signal' } }, null],
])('a union within a union tells what the branches that it names want: %j', (report, message) => {
  expect(told(Waits, { reports: [report] })).toBe(message);
});
