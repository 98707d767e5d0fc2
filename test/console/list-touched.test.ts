import { expect, test } from 'vitest';
import { type Changed, isTouched } from '#console/pages/jobs/list-touched.ts';

const job = (changes: Partial<Changed>): Changed => ({
  id: 'a',
  owner: 'user:ada@example.com',
  queue: 'analytics.fit',
  state: 'succeeded',
  parent_id: null,
  ...changes,
});
const changed = (...jobs: readonly Changed[]) => new Map(jobs.map((one) => [one.id, one]));
const list = { data: [{ id: 'b' }] };

test('a list is read again when a job comes into it, or one that it shows has changed', () => {
  expect(isTouched(list, { state: 'failed', limit: 6 } as never, changed(job({ state: 'failed' })))).toBe(true);
  expect(isTouched(list, { state: 'failed' }, changed(job({ id: 'b', state: 'queued' })))).toBe(true);
  expect(isTouched({ pages: [list, { data: [{ id: 'c' }] }] }, { state: 'failed' }, changed(job({ id: 'c' })))).toBe(
    true,
  );
  expect(isTouched(list, {}, changed(job({})))).toBe(true);
});

test('what others do moves no list that it is not in', () => {
  for (const filter of [
    { state: 'failed' },
    { owner: 'user:bob@example.com' },
    { queue: 'studio.render' },
    { parent: 'p' },
  ] as const)
    expect(isTouched(list, filter, changed(job({}))), JSON.stringify(filter)).toBe(false);
});

test('a list that was refused is not requested again because some job has changed', () => {
  expect(isTouched(undefined, { state: 'odd' as never }, changed(job({})))).toBe(false);
});
