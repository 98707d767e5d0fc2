import { expect, test } from 'vitest';
import { faultsOfAnswers, faultsOfEffect, faultsOfFollower, faultsOfJob, type LedgerJob } from './check.ts';
import { faultKinds, planOf } from './plan.ts';

const job: LedgerJob = {
  id: 'a',
  state: 'succeeded',
  kind: 'succeed',
  attempt: 1,
  failures: 0,
  events: 3,
  code: null,
  settled_by: 1,
  run_at: new Date(0),
};
const ledger = (...types: string[]) => types.map((type, index) => ({ n: index + 1, type, at: new Date(index) }));
const good = ledger('queued', 'started', 'succeeded');
const judge = (changed: Partial<LedgerJob>, events = good) => faultsOfJob({ ...job, ...changed }, events, 6).join('\n');

test('a job that went as it should has no fault', () => {
  expect(judge({})).toBe('');
  const events = ledger('queued', 'started', 'retrying', 'started', 'released', 'started', 'succeeded');
  expect(judge({ attempt: 3, settled_by: 3, failures: 1, events: 7 }, events)).toBe('');
  const dead = ledger('queued', 'started', 'released', 'failed');
  expect(judge({ state: 'failed', code: 'poisoned', settled_by: null, events: 4 }, dead)).toBe('');
});

test.each([
  ['is running', { state: 'running' }, ledger('queued', 'started')],
  ['numbered 1 3', { events: 2 }, good.filter(({ n }) => n !== 2)],
  ['numbered 1 2 3', { events: 4 }, good],
  ['does not end exactly once', { events: 4 }, ledger('queued', 'started', 'succeeded', 'succeeded')],
  ['has started after started', { attempt: 2, events: 4 }, ledger('queued', 'started', 'started', 'succeeded')],
  ['has released after released', { events: 4 }, ledger('queued', 'started', 'released', 'released')],
  [
    'has failed after released',
    { state: 'failed', code: 'internal', events: 4 },
    ledger('queued', 'started', 'released', 'failed'),
  ],
  ['has 1 starts and attempt 2', { attempt: 2 }, good],
  ['0 failed attempts in its events, 1 in its row', { failures: 1 }, good],
  ['ended as failed', { state: 'failed', code: 'internal', failures: 1 }, ledger('queued', 'started', 'failed')],
  ['was settled by attempt 1 when 2 held it', { attempt: 2 }, good],
  ['started before it was due', { run_at: new Date(1_000) }, good],
  ['ended as succeeded', { kind: 'refuse' }, good],
])('error: %s', (what, changed, events) => {
  expect(judge(changed, events)).toContain(what);
});

test('error: an effect made twice, or never for a job that succeeded', () => {
  const counted = { key: 'k', kind: 'queryable', tries: 2, made: 2 };
  expect(faultsOfEffect(job, counted)).toHaveLength(1);
  expect(faultsOfEffect(job, undefined)).toHaveLength(1);
  expect(faultsOfEffect({ ...job, state: 'cancelled' }, undefined)).toHaveLength(0);
});

test('error: a follower that saw a gap, a repeat, a reset or no end', () => {
  const seen = (numbers: number[], more = {}) =>
    faultsOfFollower(
      {
        id: 'a',
        transport: 'sse',
        seen: numbers.map((n) => `e.${n}`),
        resets: [],
        connections: 1,
        ended: true,
        endedAt: 0,
        ...more,
      },
      job,
    );
  expect(seen([1, 2, 3])).toEqual([]);
  for (const numbers of [
    [1, 3],
    [1, 2, 2, 3],
    [2, 1, 3],
    [1, 2],
  ])
    expect(seen(numbers)).toHaveLength(1);
  expect(seen([1, 2, 3], { resets: ['gap'] })).toHaveLength(1);
  expect(seen([1, 2, 3], { ended: false })).toHaveLength(1);
});

test('error: an accepted job that is not there, a key that named two jobs, a cancellation that did not hold', () => {
  const [planned] = planOf(1, { jobs: 1, lengthMs: 1, faultEveryMs: 1, leaseMs: 1 }).jobs;
  if (!planned) throw new Error('expected a planned job');
  const submission = { job: planned, id: 'a', acceptedAt: 0, contradictions: [], cancelled: null };
  expect(faultsOfAnswers(submission, job)).toEqual([]);
  expect(faultsOfAnswers(submission, undefined)).toHaveLength(1);
  expect(faultsOfAnswers({ ...submission, contradictions: ['{}'] }, job)).toHaveLength(1);
  expect(faultsOfAnswers({ ...submission, cancelled: 200 }, job)).toHaveLength(1);
});

test('a seed plans the same run again, with every kind of fault, and Redis emptied once', () => {
  const extent = { jobs: 2_000, lengthMs: 60_000, faultEveryMs: 1_500, leaseMs: 1_500 };
  expect(planOf(7, extent)).toEqual(planOf(7, extent));
  expect(planOf(8, extent)).not.toEqual(planOf(7, extent));
  const { faults, jobs } = planOf(7, extent);
  expect(jobs.filter(({ kind, keyed }) => kind === 'wait' && !keyed)).toEqual([]);
  for (const kind of faultKinds) expect(faults.map((fault) => fault.kind)).toContain(kind);
  expect(faults.filter(({ kind }) => kind === 'empty_redis')).toHaveLength(1);
});
