import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { readFields } from '#src/platform/media/read-fields.ts';
import { shapeOf } from '#src/platform/media/sizes.ts';

const body = Type.Object({
  prompt: Type.String(),
  n: Type.Optional(Type.Integer()),
  speed: Type.Optional(Type.Number()),
  stream: Type.Optional(Type.Literal(false)),
  seconds: Type.Optional(Type.Union([Type.Number(), Type.String()])),
  routing: Type.Optional(Type.Object({ policy: Type.String() })),
  list: Type.Optional(Type.Array(Type.String())),
  image: Type.Union([Type.String(), Type.Array(Type.String())]),
});

test.each([
  [
    { n: '3', speed: '-1.5', stream: 'false' },
    { n: 3, speed: -1.5, stream: false },
  ],
  // a text where one is wanted
  [
    { prompt: '3', seconds: '4', image: 'true' },
    { prompt: '3', seconds: '4', image: 'true' },
  ],
  [
    { routing: '{"policy":"balanced"}', list: 'one' },
    { routing: { policy: 'balanced' }, list: ['one'] },
  ],
  [
    { list: ['one', 'two'], image: ['a', 'b'] },
    { list: ['one', 'two'], image: ['a', 'b'] },
  ],
  // the check says what is wrong with these
  [
    { n: '3 pictures', stream: 'no', routing: '{', other: '1' },
    { n: '3 pictures', stream: 'no', routing: '{', other: '1' },
  ],
])('the texts of a form %j are read as %j', (given, read) => {
  expect(readFields(body, given)).toEqual(read);
});

test.each([
  [undefined, {}],
  ['auto', {}],
  ['1024x1024', { aspect: '1:1', resolution: 1_024 }],
  ['1536x1024', { aspect: '16:9', resolution: 1_024 }],
  ['1024x1792', { aspect: '9:16', resolution: 1_024 }],
  ['1080x1350', { aspect: '4:5', resolution: 1_080 }],
  ['9999x10', { aspect: '16:9', resolution: 64 }],
])('the size %s is %j in the words of providers', (size, shape) => {
  expect(shapeOf(size)).toEqual(shape);
});
