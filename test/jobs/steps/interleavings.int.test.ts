import fc from 'fast-check';
import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { wakeJob } from '#src/jobs/wake/wake.ts';
import { startWaker } from '#src/jobs/wake/waker.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openStory, type Story } from './story.ts';

const CHILDREN = 3;

/** A story as it is played: its job, three children, and the claim that holds it. */
interface Played {
  readonly story: Story;
  readonly job: string;
  readonly children: readonly string[];
  fence: Fence;
}

/** One thing that happens to a job, its signals or its children: `of` tells signals, children and steps apart. */
interface Move {
  readonly act: keyof typeof acts;
  readonly of: number;
  readonly isOther: boolean;
}

const after = 0;

const acts = {
  waitForSignal: async (context: Context, { fence }: Played, { of, isOther }: Move) =>
    await suspend(context, fence, {
      on: { kind: 'signal', name: `signal ${of}`, ...(isOther && { timeoutMs: 5 }) },
      after,
    }),
  waitForChild: async (context: Context, { fence, children }: Played, { of }: Move) =>
    await suspend(context, fence, { on: { kind: 'result', name: `result ${of}`, child: children[of] ?? '' }, after }),
  sleep: async (context: Context, { fence }: Played, { of, isOther }: Move) =>
    await suspend(context, fence, {
      on: { kind: 'sleep', name: `night ${of}`, until: new Date(Date.now() + (isOther ? of * 8 : -of)) },
      after,
    }),
  keep: async (context: Context, { fence }: Played, { of, isOther }: Move) =>
    await keepStep(context, fence, { name: `step ${of} ${isOther}`, kind: 'step', after, value: of }),
  signal: async (context: Context, { job }: Played, { of }: Move) =>
    await signalJob(context, job, { name: `signal ${of}`, payload: of }),
  endChild: async (context: Context, { story, children }: Played, { of, isOther }: Move) => {
    const child = children[of] ?? '';
    if (isOther) return await cancelJob(context, child, 'alice');
    const claimed = await story.claimed(child).catch(() => null);
    return claimed && (await story.settled(claimed, 'succeeded', of));
  },
  claim: async (_context: Context, played: Played) => {
    // only one that waits in its queue can be
    const claimed = await played.story.claimed(played.job).catch(() => null);
    if (claimed) played.fence = claimed;
  },
  wake: async (context: Context, { job }: Played) => await wakeJob(context, job),
  loseWorker: async (context: Context, { story, job }: Played) => {
    const sweep = await story.connect();
    await context.db.query(sql.unsafe`
      update jobs set worker_id = gen_random_uuid() where id = ${job} and state = 'running'`);
    await releaseOrphans(context, sweep, false, []);
    await sweep.end();
    await context.db.query(sql.unsafe`update jobs set suspect = false where id = ${job}`);
  },
  cancel: async (context: Context, { job }: Played) => await cancelJob(context, job, 'alice'),
} satisfies Readonly<Record<string, (context: Context, played: Played, one: Move) => Promise<unknown>>>;

const weights: Readonly<Record<keyof typeof acts, number>> = {
  waitForSignal: 4,
  waitForChild: 3,
  sleep: 2,
  keep: 2,
  signal: 5,
  endChild: 4,
  claim: 6,
  wake: 2,
  loseWorker: 2,
  cancel: 1,
};

const move: fc.Arbitrary<Move> = fc.record({
  act: fc.oneof(
    ...Object.entries(weights).map(([act, weight]) => ({
      weight,
      arbitrary: fc.constant(act as keyof typeof acts),
    })),
  ),
  of: fc.nat(CHILDREN - 1),
  isOther: fc.boolean(),
});

/** Moves of a round are under way at once, in two processes; rounds follow each other. */
const rounds = fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 14 });

/** Refusals that an unlucky order may meet; anything else is a fault. */
const expected = new Set(['state_conflict', 'not_found']);

async function play(story: Story, contexts: readonly Context[], plan: readonly (readonly Move[])[]): Promise<Played> {
  const job = await story.accepted();
  const children = await Promise.all(Array.from({ length: CHILDREN }, () => story.child(job)));
  const played: Played = { story, job, children, fence: await story.claimed(job) };
  let turn = 0;
  for (const round of plan)
    await Promise.all(
      round.map(async (one) => {
        try {
          await acts[one.act](contexts[turn++ % contexts.length]!, played, one);
        } catch (error) {
          if (!(error instanceof AppError && expected.has(error.code))) throw error;
        }
      }),
    );
  return played;
}

const Stuck = row(Type.Object({ job: Type.String() }));

/** The jobs that wait although what they wait for is there or soon will be, and the notes that nobody has looked at. */
async function overdue({ context: { db } }: Story): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Stuck)`
    select w.job from waits w where w.wake_at is not null
      or exists (select from signals s where s.job = w.job and s.name = w.name and w.kind = 'signal' and s.taken_at is null)
      or exists (select from jobs c where c.id = w.child and c.finished_at is not null)
    union all select job from wakes`);
}

const Facts = row(
  Type.Object({
    state: Type.String(),
    dispatch: Type.Integer(),
    attempt: Type.Integer(),
    steps: Type.Integer(),
    rows: Type.Integer(),
    last: Type.Integer(),
    ended: Type.Integer(),
    taken: Type.Integer(),
    paid: Type.Integer(),
    signals: Type.Integer(),
    sent: Type.Integer(),
    waits: Type.Integer(),
    bytes: Type.Boolean(),
  }),
);

/** Every wait that began has ended once at most, and the rows agree with each other and with the ledger. */
async function check(story: Story, { job }: Played): Promise<void> {
  const facts = await story.context.db.one(sql.type(Facts)`
    select j.state, j.dispatch, j.attempt, j.steps, j.signals,
      (select count(*) from steps where job = j.id) as rows,
      (select coalesce(max(n), 0) from steps where job = j.id) as last,
      (select count(*) from steps where job = j.id and kind in ('sleep', 'signal', 'result')) as ended,
      (select count(*) from steps where job = j.id and kind = 'signal' and value ? 'payload') as paid,
      (select count(*) from signals where job = j.id and taken_at is not null) as taken,
      (select count(*) from signals where job = j.id) as sent,
      (select count(*) from waits where job = j.id) as waits,
      j.step_bytes = (select coalesce(sum(bytes), 0) from steps where job = j.id) as bytes
    from jobs j where j.id = ${job}`);
  const events = await story.events(job);
  const count = (type: string) => events.filter((one) => one === type).length;
  const isWaiting = facts.state === 'waiting';
  // cancelled while it waited: the wait before it has not ended, and signals may have come between
  const open = events.findLastIndex((type) => type === 'waiting');
  const isLeft = open >= 0 && !events.slice(open).some((type) => type.startsWith('released'));
  expect(facts).toMatchObject({
    dispatch: 1 + events.filter((type) => type.startsWith('released')).length,
    attempt: count('started'),
    rows: facts.steps,
    last: facts.steps,
    ended: count('released woken'),
    taken: facts.paid,
    sent: facts.signals,
    waits: isWaiting ? 1 : 0,
    bytes: true,
  });
  expect(count('signalled')).toBe(facts.signals);
  expect(count('waiting')).toBe(count('released woken') + (isLeft ? 1 : 0));
  expect(isLeft).toBe(isWaiting || (facts.state === 'cancelled' && isLeft));
  const last = events.findLast((type) => type !== 'signalled');
  expect(isTerminal(facts.state) ? last : facts.state).toBe(isTerminal(facts.state) ? facts.state : stateAfter(last));
}

/** The state that a job is in after its newest event but signals. */
function stateAfter(type: string | undefined): string {
  if (type === 'started') return 'running';
  return type === 'waiting' ? 'waiting' : 'queued';
}

test('property: whatever the order of waits, signals, ends, losses and cancellations, no wake is lost and none comes twice', {
  timeout: 240_000,
}, async () => {
  await using story = await openStory();
  const contexts = [story.context, await story.another()];
  const wakers = contexts.map((context) => startWaker(context));
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const played = await play(story, contexts, plan);
      await expect.poll(() => overdue(story)).toEqual([]);
      await check(story, played);
    }),
    { numRuns: 60 },
  );
  for (const waker of wakers) await waker[Symbol.asyncDispose]();
});
