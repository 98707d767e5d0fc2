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
import { wakeJob } from '#src/jobs/steps/wake.ts';
import { startWaker } from '#src/jobs/steps/waker.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { openStory, type Story } from './story.ts';

const CHILDREN = 3;

/** One thing that happens to a job, its signals or its children. */
const move = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait for signal' as const), of: fc.nat(2), isShort: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait for child' as const), of: fc.nat(CHILDREN - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('sleep' as const), of: fc.nat(3), ms: fc.constantFrom(-5, 0, 3, 20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('keep' as const), of: fc.nat(5) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('signal' as const), of: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('end child' as const), of: fc.nat(CHILDREN - 1), isCancel: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('claim' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wake' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose worker' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** Moves of a round are under way at once, in two processes; rounds follow each other. */
const rounds = fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 14 });

interface Played {
  readonly job: string;
  readonly children: readonly string[];
}

/** Refusals that an unlucky order may meet; anything else is a fault. */
const expected = new Set(['state_conflict', 'not_found']);

async function play(story: Story, contexts: readonly Context[], plan: readonly (readonly Move[])[]): Promise<Played> {
  const job = await story.accepted();
  const children = await Promise.all(Array.from({ length: CHILDREN }, () => story.child(job)));
  let fence: Fence = await story.claimed(job);
  const after = 0;
  const make = async (context: Context, one: Move): Promise<unknown> => {
    switch (one.do) {
      case 'wait for signal': {
        const on = { kind: 'signal', name: `signal ${one.of}`, ...(one.isShort && { timeoutMs: 5 }) } as const;
        return await suspend(context, fence, { on, after });
      }
      case 'wait for child': {
        const on = { kind: 'result', name: `result ${one.of}`, child: children[one.of]! } as const;
        return await suspend(context, fence, { on, after });
      }
      case 'sleep': {
        const on = { kind: 'sleep', name: `night ${one.of}`, until: new Date(Date.now() + one.ms) } as const;
        return await suspend(context, fence, { on, after });
      }
      case 'keep':
        return await keepStep(context, fence, { name: `step ${one.of}`, kind: 'step', after, value: one.of });
      case 'signal':
        return await signalJob(context, job, { name: `signal ${one.of}`, payload: one.of });
      case 'end child': {
        const child = children[one.of]!;
        if (one.isCancel) return await cancelJob(context, child, 'alice');
        const claimed = await story.claimed(child).catch(() => null);
        return claimed && (await story.settled(claimed, 'succeeded', one.of));
      }
      case 'claim': {
        const claimed = await story.claimed(job).catch(() => null);
        if (claimed) fence = claimed;
        return claimed;
      }
      case 'wake':
        return await wakeJob(context, job);
      case 'lose worker': {
        const sweep = await story.connect();
        await context.db.query(sql.unsafe`
          update jobs set worker_id = gen_random_uuid() where id = ${job} and state = 'running'`);
        await releaseOrphans(context, sweep, false, []);
        await sweep.end();
        return await context.db.query(sql.unsafe`update jobs set suspect = false where id = ${job}`);
      }
      case 'cancel':
        return await cancelJob(context, job, 'alice');
    }
  };
  let turn = 0;
  for (const round of plan)
    await Promise.all(
      round.map(async (one) => {
        try {
          await make(contexts[turn++ % contexts.length]!, one);
        } catch (error) {
          if (!(error instanceof AppError && expected.has(error.code))) throw error;
        }
      }),
    );
  return { job, children };
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

test('property: whatever the order of waits, signals, ends, losses and cancellations, no wake is lost and none comes twice', async () => {
  await using story = await openStory();
  const contexts = [story.context, await story.another()];
  const wakers = contexts.map((context) => startWaker(context));
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const played = await play(story, contexts, plan);
      await expect.poll(() => overdue(story)).toEqual([]);
      await check(story, played);
    }),
    { numRuns: 100 },
  );
  for (const waker of wakers) await waker[Symbol.asyncDispose]();
});
