import { contractOf, defineJob, type InputOf, type JobDefinition, type OutputOf } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import Type from 'typebox';
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const Image = Type.Object({
  url: Type.String({ format: 'uri' }),
  width: Type.Optional(Type.Integer({ minimum: 1 })),
  mode: Type.Union([Type.Literal('fit'), Type.Literal('fill')]),
  tags: Type.Array(Type.Enum(['a', 'b'])),
  extra: Type.Record(Type.String(), Type.Number()),
  any: Type.Unsafe<Date | null>({}),
});

const resize = defineJob({
  name: 'acme.resize-image',
  version: 2,
  title: 'Resize an image',
  payload: Image,
  result: Type.Object({ url: Type.String() }),
  progress: Type.Object({ percent: Type.Number() }),
  attempts: 5,
  backoff: { first: '1s', cap: '5m' },
  timeout: '2m',
  priority: 10,
  retention: { age: '7d', count: 1_000 },
  replaceable: false,
  receipt: true,
  approval: { why: 'It is shown to customers.', areas: ['publishing'], decideWithin: '2h' },
  budget: { jobUsd: 0.5, monthUsd: 100 },
  group: ({ payload }) => payload.url,
  run: async ({ payload, progress }) => {
    progress({ percent: 50 });
    return { url: payload.url };
  },
});

test('a contract says everything that a definition does, as the protocol names it', () => {
  expect(JSON.parse(JSON.stringify(contractOf(resize)))).toEqual({
    title: 'Resize an image',
    payload: JSON.parse(JSON.stringify(Image)) as object,
    result: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
    progress: { type: 'object', properties: { percent: { type: 'number' } }, required: ['percent'] },
    attempts: 5,
    backoff_ms: 1_000,
    backoff_cap_ms: 300_000,
    timeout_ms: 120_000,
    priority: 10,
    retention: { ms: 604_800_000, count: 1_000 },
    replaceable: false,
    receipt: true,
    approval: { why: 'It is shown to customers.', areas: ['publishing'], decide_within_s: 7_200 },
    budget: { job_usd: 0.5, month_usd: 100 },
  });
  const bare = defineJob({ name: 'acme.bare', payload: { type: 'null' }, backoff: '2s', run: () => 1 });
  expect(contractOf(bare)).toEqual({ title: 'acme.bare', payload: { type: 'null' }, result: true, backoff_ms: 2_000 });
});

test('a group is a pointer in the contract, or a function of clients', () => {
  const payload = { type: 'object' } as const;
  const byPointer = defineJob({
    name: 'acme.group',
    payload,
    group: '/customer',
    maxBytes: { payload: 1_000, progress: 100 },
    run: () => 1,
  });
  expect(contractOf(byPointer)).toMatchObject({
    group: '/customer',
    max_payload_bytes: 1_000,
    max_progress_bytes: 100,
  });
  expect(byPointer.group).toBeUndefined();
  const byFunction = defineJob({ name: 'acme.group', payload, group: () => 'a', run: () => 1 });
  expect(contractOf(byFunction)).not.toHaveProperty('group');
  expect(byFunction.group?.({ payload: {} })).toBe('a');
});

test('types of TypeBox and of JSON Schema are those of their values', () => {
  expectTypeOf<InputOf<typeof Image>>().toEqualTypeOf<{
    url: string;
    width?: number;
    mode: 'fit' | 'fill';
    tags: ('a' | 'b')[];
    extra: { [key: string]: number };
    any: Date | null;
  }>();
  const byHand = defineJob({
    name: 'acme.by-hand',
    payload: {
      type: 'object',
      required: ['id', 'pair'],
      properties: {
        id: { type: ['string', 'null'] },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, { const: 'x' }] },
        both: { allOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }] },
        deep: { type: 'object', additionalProperties: { enum: [1, 2] } },
        anything: {},
      },
    },
    result: { type: 'array', items: { type: 'integer' } },
    run: ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<{
        id: string | null;
        pair: [number, 'x'];
        both?: { a?: boolean };
        deep?: { [key: string]: 1 | 2 };
        anything?: unknown;
      }>();
      return [payload.pair[0]];
    },
  });
  expectTypeOf(byHand).toExtend<JobDefinition<{ id: string | null; pair: [number, 'x'] }, never, number[]>>();
  defineJob({
    name: 'acme.wrong',
    payload: true,
    result: { type: 'array', items: { type: 'number' } },
    // @ts-expect-error the result is a list of numbers
    run: () => ['a'],
  });
  expect(byHand.name).toBe('acme.by-hand');
});

const Order = z.object({ id: z.string(), count: z.coerce.number().default(3) });
const Receipt = z.object({ total: z.number(), note: z.string().default('none') });

const order = defineJob({
  name: 'acme.order',
  payload: Order,
  result: Receipt,
  run: async ({ payload }) => {
    expectTypeOf(payload).toEqualTypeOf<{ id: string; count: number }>();
    return { total: payload.count * 2 };
  },
});

test('schemas of a library say their JSON Schema, and make values on the way in and out', async () => {
  expectTypeOf<OutputOf<typeof Receipt>>().toEqualTypeOf<{ total: number; note: string }>();
  expect(contractOf(order)).toMatchObject({
    payload: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, count: { default: 3 } } },
    result: { type: 'object', required: ['total', 'note'] },
  });
  const run = await harness(order, { id: 'o-1' });
  expect(run.result).toEqual({ total: 6, note: 'none' });
});

test('error: values that do not fit the schema of a library fail the job at once, and say where', async () => {
  const payload = await harness(order, { id: 7 } as never);
  expect(payload).toMatchObject({
    state: 'failed',
    attempt: 1,
    error: { code: 'invalid_payload', message: expect.stringMatching(/^The payload .* acme\.order: id: .*string/) },
  });
  const broken = defineJob({ name: 'acme.order', payload: true, result: Receipt, run: () => ({}) as never });
  expect(await harness(broken, null)).toMatchObject({
    state: 'failed',
    error: { code: 'invalid_result', message: expect.stringMatching(/total: /) },
  });
});

test('a schema of a library of before is asked by its own method, and one that cannot say it is refused', () => {
  const standard = (more: object) => ({ '~standard': { version: 1, vendor: 'lib' }, ...more });
  const asked: unknown[] = [];
  const own = standard({
    toJSONSchema: (options: unknown) => {
      asked.push(options);
      return { type: 'string' };
    },
  });
  const contract = contractOf(defineJob({ name: 'acme.own', payload: own, result: own, run: () => '' }));
  expect([contract['payload'], asked]).toEqual([{ type: 'string' }, [{ io: 'input' }, { io: 'output' }]]);
  expect(() => contractOf(defineJob({ name: 'acme.x', payload: standard({}), run: () => 1 }))).toThrow(
    'payload of acme.x: expected JSON Schema, or a schema that can say its JSON Schema, got one of lib that cannot; give its JSON Schema instead.',
  );
  const transforming = defineJob({
    name: 'acme.x',
    payload: true,
    result: z.string().transform(Number),
    run: () => '1',
  });
  expect(() => contractOf(transforming)).toThrow(/^result of acme\.x: zod cannot say it as JSON Schema \(.+\)\.$/);
});

test('payloads of older versions are made new, one version at a time', async () => {
  const job = defineJob({
    name: 'acme.resize-image',
    version: 3,
    payload: true,
    upcasts: [
      { from: 1, upcast: (size: number) => [size] },
      { from: 2, upcast: (sizes: readonly number[]) => ({ sizes }) },
    ],
    run: ({ payload }) => payload,
  });
  expect((await harness(job, { sizes: [1] })).result).toEqual({ sizes: [1] });
  expect((await harness(job, [2], { version: 2 })).result).toEqual({ sizes: [2] });
  expect((await harness(job, 3, { version: 1 })).result).toEqual({ sizes: [3] });
});
