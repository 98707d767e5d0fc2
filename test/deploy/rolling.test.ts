import { expect, test } from 'vitest';
import { queues } from '#queues/index.ts';
import { misfit } from '#queues/misfit.ts';
import type { Schema } from '#test/helpers/documents/json-schema.ts';
import { frozenQueues, frozenRows, type Part, parts, previous } from './release.ts';
import { valuesOf } from './values-of.ts';

const frozen = frozenQueues(previous);
const { jobs = [] } = frozenRows(previous);
const cases = frozen.flatMap((queue) => parts.map((part) => [queue.name, part, queue.schemas[part]] as const));

/** Today's schema, as the next release will read it. */
function now(name: string, part: Part): Schema {
  const queue = queues.get(name);
  if (!queue) throw new Error(`expected the queue ${name}, which the release before has jobs of, got none`);
  return JSON.parse(JSON.stringify(queue[part]));
}

/** The values that the other side refuses, with its reason. */
const refused = (schema: Schema, values: readonly unknown[]) =>
  values.flatMap((value) => {
    const why = misfit(schema, value);
    return why ? [`${why.path} ${why.message}: ${JSON.stringify(value).slice(0, 300)}`] : [];
  });

test('the values of a schema fit it, and show what a narrower one refuses', () => {
  const wide: Schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { enum: ['x', 'y'] }, b: { type: 'null' } },
  };
  expect(refused(wide, valuesOf(wide))).toEqual([]);
  expect(refused({ ...wide, properties: { a: { enum: ['x'] } } }, valuesOf(wide))).not.toEqual([]);
  expect(refused({ ...wide, required: ['a', 'b'] }, valuesOf(wide))).not.toEqual([]);
  expect(refused({ ...wide, properties: { ...wide.properties, b: { type: 'string' } } }, valuesOf(wide))).not.toEqual(
    [],
  );
});

test('every queue that had jobs is still there', () => {
  expect(frozen.length).toBeGreaterThanOrEqual(16);
  for (const { name } of frozen) expect(queues.has(name), name).toBe(true);
});

test.each(cases)('%s: this release takes every %s of the one before', (name, part, before) => {
  expect(refused(before, valuesOf(before))).toEqual([]);
  expect(refused(now(name, part), valuesOf(before))).toEqual([]);
});

/**
 * What this release says that the one before does not know, by queue and part: nothing says it before the API processes
 * are replaced, which is after the workers. Each is to come up, so that the list has none of an earlier release.
 */
const added: Readonly<Record<string, RegExp>> = {
  'analytics.stress payload': /^\/scenarios\/\d+\/vol_points /,
  'analytics.stress result': /^\/results\/\d+\/vol_points /,
  'analytics.study payload': /^\/(seed|kind) /,
  'analytics.study result': /^\/study /,
  'missions.execute payload': /^\/capability .*human\.confirm/,
  'providers.generate payload': /^\/request\/(script|isLengthOpen|isSilent|withoutText) /,
  'providers.generate result': /^\/notes /,
  'studio.render result': /^\/warnings /,
};

test.each(cases)('%s: the release before takes every %s of this one but for what is added', (name, part, before) => {
  const all = refused(before, valuesOf(now(name, part)));
  const known = added[`${name} ${part}`];
  expect(all.filter((one) => known?.test(one) !== true)).toEqual([]);
  expect(all.some((one) => known?.test(one))).toBe(known !== undefined);
});

test('payloads and results of jobs that were run by the release before fit', () => {
  expect(new Set(jobs.map(({ queue }) => queue))).toEqual(new Set(frozen.map(({ name }) => name)));
  for (const { queue, payload, result } of jobs) {
    expect(refused(now(String(queue), 'payload'), [payload])).toEqual([]);
    expect(refused(now(String(queue), 'result'), [result])).toEqual([]);
  }
});
