import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import { conclude, type Ended, failed, succeeded } from '#src/jobs/run/conclude.ts';
import { recordSoloCrash } from '#src/jobs/run/record-solo-crash.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { trial } from '#test/helpers/trial.ts';
import { openStory, type Story } from './story.ts';

/* No waker runs here: a parent that goes on was woken by the process that ended its child. */

let story: Story;
beforeAll(async () => {
  story = await openStory();
});
afterAll(async () => await story[Symbol.asyncDispose]());

const endedOf = async ({ job, attempt, token }: Fence): Promise<Ended> => ({
  queue: trial,
  claimed: { ...(await story.job(job)), attempt },
  token,
  log: openJobLog(story.context, job, attempt),
});
const refusal = { code: 'no_image', message: 'There is no image.' };

/** Each way in which a running child may end, and the state that its parent is told. */
const ends: Readonly<Record<string, readonly [state: string, end: (child: Fence) => Promise<unknown>]>> = {
  'with its result': [
    'succeeded',
    async (child) => {
      const ended = await endedOf(child);
      return await conclude(story.context, openSettlements(story.context), ended, succeeded(ended, { bytes: 7 }));
    },
  ],
  'with its failure': [
    'failed',
    async (child) => {
      const ended = await endedOf(child);
      const failure = failed(story.context, ended, { error: refusal, retryable: false }, trial.attempts);
      return await conclude(story.context, openSettlements(story.context), ended, failure);
    },
  ],
  'by its owner': ['cancelled', async ({ job }) => await cancelJob(story.context, job, 'alice')],
  'by a quarantine': [
    'failed',
    async ({ job, attempt }) => {
      await story.context.db.query(sql.unsafe`update jobs set lone_deaths = 1 where id = ${job}`);
      await recordSoloCrash(story.context, job, attempt, 'signal SIGKILL');
    },
  ],
  'by a newer job that replaces it': [
    'cancelled',
    async ({ job }) => {
      await story.context.db.query(sql.unsafe`update jobs set worker_id = gen_random_uuid() where id = ${job}`);
      await releaseOrphans(story.context, await story.connect(), false, [trial.name]);
    },
  ],
  'because it had not begun in its time': [
    'cancelled',
    async ({ job }) => {
      await story.settled({ job, attempt: 1, token: await tokenOf(job) }, 'queued');
      await story.context.db.query(sql.unsafe`update jobs set attempt = 0, expires_at = now() where id = ${job}`);
      await releaseOrphans(story.context, await story.connect(), false, []);
    },
  ],
};

const tokenOf = async (job: string) =>
  String(await story.context.db.oneFirst(sql.unsafe`select claim_token from jobs where id = ${job}`));

const answer = async (parent: Fence, child: string) =>
  await suspend(story.context, parent, { on: { kind: 'result', name: 'answer', child }, after: 0 });

test.each(Object.keys(ends))('a parent that waits is woken by the end of its child, %s', async (way) => {
  const [state, end] = ends[way]!;
  const parent = await story.running();
  const child = await story.claimed(await story.child(parent.job));
  await answer(parent, child.job);
  expect(await story.stateOf(parent.job)).toBe('waiting');
  await end(child);
  expect(await story.events(parent.job)).toEqual(['queued', 'started', 'waiting', 'released woken']);
  const [step] = await story.steps(parent.job);
  expect(JSON.parse(step?.replace('result answer ', '') ?? '')).toMatchObject({ state });
  expect(await story.left()).toEqual({ waits: 0, wakes: 0 });
});

test('a child that is tried again wakes nobody, and neither does one that nobody waits for', async () => {
  const parent = await story.running();
  const [waited, other] = [
    await story.claimed(await story.child(parent.job)),
    await story.claimed(await story.child(parent.job)),
  ];
  await answer(parent, waited.job);
  const ended = await endedOf(waited);
  const again = failed(story.context, ended, { error: refusal, retryable: true }, trial.attempts);
  expect(await conclude(story.context, openSettlements(story.context), ended, again)).toBe(true);
  const done = await endedOf(other);
  expect(await conclude(story.context, openSettlements(story.context), done, succeeded(done, 1))).toBe(true);
  expect(await story.stateOf(parent.job)).toBe('waiting');
});
