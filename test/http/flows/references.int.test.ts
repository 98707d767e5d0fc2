import { afterAll, beforeAll, expect, test } from 'vitest';
import { count, type FlowApi, flowApi } from './flow-api.ts';

let api: FlowApi;
beforeAll(async () => {
  api = await flowApi();
});
afterAll(async () => await api[Symbol.asyncDispose]());

const any = (name: string, payload: unknown) => ({ name, queue: 'acme.take-any', payload });
const submit = async (nodes: readonly object[], more: object = {}) => {
  const { statusCode, body } = await api.call('POST', '/v1/flows', { nodes, ...more });
  return [statusCode, body];
};

test('error: an object that is not quite a reference is refused with its place', async () => {
  const cases = [
    [{ $from: 'count', path: 5 }, 'body.nodes.1.payload/a/path'],
    [{ $from: 'count', path: 'list' }, 'body.nodes.1.payload/a/path'],
    [{ $from: 'count', pth: '/list' }, 'body.nodes.1.payload/a/pth'],
    [{ $from: 7 }, 'body.nodes.1.payload/a/$from'],
    [{ $item: 7 }, 'body.nodes.1.payload/a/$item'],
    [{ $item: '', $from: 'count' }, 'body.nodes.1.payload/a/$item'],
    [{ $literal: 1, more: 2 }, 'body.nodes.1.payload/a'],
  ] as const;
  for (const [a, place] of cases)
    expect(await submit([count, any('b', { a })])).toEqual([400, expect.stringContaining(`${place}:`)]);
  expect(await submit([count], { result: [{ $from: 'count', path: 'x' }] })).toEqual([
    400,
    expect.stringContaining('body.result/0/path'),
  ]);
});

test('a literal stands for its value as it is, references in it included', async () => {
  const id = await api.flow(
    [any('a', { plain: { $literal: { $from: 'x' } }, twice: { $literal: { $literal: { $item: 4 } } } })],
    { result: { a: { $from: 'a' }, b: { $literal: { $from: 'a' } } } },
  );
  await using _worker = await api.work({ 'acme.take-any': (payload) => payload });
  expect((await api.over(id)).result).toEqual({
    a: { plain: { $from: 'x' }, twice: { $literal: { $item: 4 } } },
    b: { $from: 'a' },
  });
});

test('error: beside references a payload is checked against its contract before anything runs', async () => {
  const contract = {
    title: 'Check',
    payload: {
      type: 'object',
      properties: {
        to: { type: 'integer' },
        x: {},
        list: { type: 'array', maxItems: 2, items: { type: 'integer' } },
        either: { anyOf: [{ type: 'object', required: ['a'] }, { type: 'integer' }] },
      },
      required: ['to', 'x'],
      additionalProperties: false,
    },
    result: true,
  };
  expect((await api.call('PUT', '/v1/queues/acme.check-payload', { contract })).statusCode).toBe(201);
  const c = any('c', 1);
  const x = { $from: 'c' };
  const check = async (payload: unknown) => await submit([c, { name: 'n', queue: 'acme.check-payload', payload }]);
  const cases = [
    [{ to: 'notnum', x }, 'body.nodes.1.payload/to'],
    [{ x }, 'to'],
    [{ to: 1, x, more: 1 }, 'more'],
    [{ to: 1, x: 1, list: [x, 1, 2] }, 'body.nodes.1.payload/list'],
    [{ to: 1, x: 1, list: [x, 'a'] }, 'body.nodes.1.payload/list/1'],
    [{ to: 1, x, either: 'no' }, 'body.nodes.1.payload/either'],
  ] as const;
  for (const [payload, words] of cases) expect(await check(payload)).toEqual([400, expect.stringContaining(words)]);
  for (const payload of [
    { to: x, x: 1 },
    { to: 1, x, list: [x, 2] },
    { to: 1, x: 1, list: x },
    { to: 1, x, either: { b: x } },
    x,
  ])
    expect(await check(payload)).toEqual([202, expect.anything()]);
});
