import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Claim, type Claimed, openClaims } from '#src/jobs/run/claim-jobs.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { type Context, openContext } from '#src/system/context.ts';
import type { Fleet } from '#workers/run/fleet.ts';
import { testConfig } from './config.ts';
import { lively, runJobs } from './run-jobs.ts';
import { handlers, trial } from './trial.ts';

export interface TestSystem extends AsyncDisposable {
  readonly context: Context;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a fleet for trial jobs in this process. */
  readonly fleet: () => Promise<Fleet>;
  readonly submit: (
    payload: Submission<typeof trial>['payload'],
    more?: Partial<Submission<typeof trial>>,
  ) => Promise<Job>;
  /** The job once `holds`; fails after 30 s. */
  readonly until: (id: string, holds: (job: Job) => boolean) => Promise<Job>;
  readonly ended: (id: string) => Promise<Job>;
  /** Types of the job's events, which must be dense. */
  readonly events: (id: string) => Promise<string[]>;
}

/** A database, a Redis prefix, a relay and a sweep of its own. */
export async function testSystem(settings: Readonly<Record<string, string>> = {}): Promise<TestSystem> {
  const { config, env, ...test } = await testConfig({ ...lively, ...settings });
  const context = await openContext(config, 'test');
  // tests send it commands of their own, which fail fast until it is there
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const module = new URL('./trial.ts', import.meta.url);
  const running = { name: 'trial', handlers, module, concurrency: 20, swept: [trial.name], fleet: false };
  const { startFleet, ...jobs } = await runJobs(context, running);
  const until: TestSystem['until'] = async (id, holds) => {
    for (const deadline = performance.now() + 30_000; ; await sleep(10)) {
      const job = await readJob(context, id);
      if (job && holds(job)) return job;
      if (performance.now() > deadline) throw new Error(`the job is still ${JSON.stringify(job)}`);
    }
  };
  return {
    context,
    env,
    fleet: startFleet,
    submit: async (payload, more = {}) =>
      (await submit(context, trial, { principal: { owner: 'alice' }, payload, ...more })).job,
    until,
    ended: (id) => until(id, ({ state }) => isTerminal(state)),
    events: async (id) => {
      const events = await readEvents(context, id, 0, 1_000);
      const gap = events.findIndex(({ n }, index) => n !== index + 1);
      if (gap >= 0) throw new Error(`the events are not dense: ${JSON.stringify(events.map(({ n }) => n))}`);
      return events.map(({ type }) => type);
    },
    [Symbol.asyncDispose]: async () => {
      await jobs[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** Claims for one worker, whose id is asked for at each claim. A queued job is due then: what runs beside it is given none before. */
export function claimsFor(
  context: Context,
  worker: () => string,
  suspects: boolean,
): (claim: Omit<Claim, 'worker'>) => Promise<Claimed | null> {
  const claim = openClaims(context, suspects);
  return async (delivery) => {
    await context.db.query(
      sql.unsafe`update jobs set run_at = least(run_at, now()) where id = ${delivery.id} and state = 'queued'`,
    );
    return await claim({ ...delivery, worker: worker() });
  };
}
