import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  AnalyzeInput,
  BriefInput,
  ExploreInput,
  OperateInput,
  PlanInput,
  PublishInput,
  RenderInput,
} from '#src/studio/edge/inputs.ts';
import type { Schema } from '#test/helpers/documents/json-schema.ts';
import { boundsOf } from '#test/helpers/documents/schema-bounds.ts';

/** A body that fits, for each input of part 2 of the studio document. */
const inputs = {
  explore: [ExploreInput, { mode: 'providers' }],
  brief: [BriefInput, { mode: 'video', prompt: 'A harbour wakes' }],
  plan: [PlanInput, { prompt: 'A harbour wakes', mode: 'video' }],
  render: [RenderInput, { planId: 'p', dryRun: true }],
  publish: [PublishInput, { assetId: 'a', channels: ['tiktok'], dryRun: true }],
  analyze: [AnalyzeInput, { scope: 'jobs' }],
  operate: [OperateInput, { action: 'cancel_job', targetType: 'job', targetId: 'j' }],
} as const;

const ajv = new Ajv2020({ strict: false, coerceTypes: false });

describe.for(Object.entries(inputs))('the input of %s', ([, [schema, example]]) => {
  const check = ajv.compile(schema);
  const { properties, required } = schema as unknown as Required<Pick<Schema, 'properties' | 'required'>>;
  const body: Readonly<Record<string, unknown>> = example;

  test('takes what fits, and refuses unknown properties', () => {
    expect(check(body)).toBe(true);
    expect(check({ ...body, unknown: 1 })).toBe(false);
    for (const nothing of [null, [], 'text', 1]) expect(check(nothing)).toBe(false);
  });

  test.for(required ?? [])('needs %s', (name) => {
    const { [name]: _left, ...rest } = body;
    expect(check(rest)).toBe(false);
  });

  const cases = Object.entries(properties).flatMap(([name, one]) =>
    boundsOf(name, one, body[name]).map((bound) => ({ ...bound, property: name })),
  );
  test.for(cases)('$name', ({ property, value, valid }) => {
    if (property === 'params' && typeof value === 'object' && value !== null && !Array.isArray(value)) return;
    expect(check({ ...body, [property]: value })).toBe(valid);
  });
});

test('a plan takes a brief, or a prompt with a mode, and neither alone', () => {
  const check = ajv.compile(PlanInput);
  expect([{ briefId: 'b' }, { prompt: 'p', mode: 'video' }].map((body) => check(body))).toEqual([true, true]);
  expect([{}, { prompt: 'p' }, { mode: 'video' }].map((body) => check(body))).toEqual([false, false, false]);
});

test('a publication takes an asset, a plan, or both, and not none', () => {
  const check = ajv.compile(PublishInput);
  const more = { channels: ['tiktok'], dryRun: true };
  expect(check({ ...more, planId: 'p' })).toBe(true);
  expect(check({ ...more, planId: 'p', assetId: 'a' })).toBe(true);
  expect(check(more)).toBe(false);
});
