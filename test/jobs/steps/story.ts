import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { openSettlements, type Settlement } from '#src/jobs/run/settle-jobs.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { claimsFor } from '#test/helpers/jobs.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

/** A database on which nothing runs, and jobs that are carried out by hand, one move at a time. */
export interface Story extends QuietSystem {
  /** A job of alice, as it was accepted. */
  readonly accepted: (more?: { readonly parentId?: string }) => Promise<string>;
  /** Claims a queued job: what its attempt writes with. */
  readonly claimed: (id: string) => Promise<Fence & { readonly steps: number }>;
  /** A job that runs. */
  readonly running: () => Promise<Fence>;
  /** A child of a job, accepted. */
  readonly child: (parent: string) => Promise<string>;
  readonly settled: (fence: Fence, how: 'succeeded' | 'failed' | 'queued', result?: unknown) => Promise<boolean>;
  readonly job: (id: string) => Promise<Job>;
  readonly stateOf: (id: string) => Promise<string>;
  /** Types of the events of a job, a release with its reason; they must be dense. */
  readonly events: (id: string) => Promise<string[]>;
  /** Steps of a job in their order, as `kind name value`. */
  readonly steps: (id: string) => Promise<string[]>;
  /** How many rows wait and how many are noted, over all jobs. */
  readonly left: () => Promise<{ readonly waits: number; readonly wakes: number }>;
  /** The same system as another process has it. */
  readonly another: () => Promise<Context>;
}

/** Claims queued jobs one by one, for a worker that never dies. @throws where a job cannot be claimed. */
export async function claimsByHand(context: Context): Promise<Story['claimed']> {
  const worker = randomUUID();
  await context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  const claim = claimsFor(context, () => worker, false);
  return async (id) => {
    const token = randomUUID();
    const job = await readJob(context, id);
    const found = job && (await claim({ id, dispatch: job.dispatch, token }));
    if (!found) throw new Error(`expected a job that can be claimed, got ${JSON.stringify(job)}`);
    return { job: id, attempt: found.attempt, token, steps: found.steps };
  };
}

const stepRow = row(Type.Object({ kind: Type.String(), name: Type.String(), value: Type.Unsafe<unknown>({}) }));

export async function openStory(settings: Readonly<Record<string, string>> = {}): Promise<Story> {
  await using stack = new AsyncDisposableStack();
  const system = stack.use(await quietSystem(settings));
  const { context } = system;
  const { db } = context;
  const claimed = await claimsByHand(context);
  const settle = openSettlements(context);
  const job = async (id: string) => {
    const found = await readJob(context, id);
    if (!found) throw new Error(`expected the job ${id}, got none`);
    return found;
  };
  const accepted: Story['accepted'] = async (more = {}) =>
    (await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' }, ...more })).job.id;
  const count = async (table: string) =>
    Number(await db.oneFirst(sql.unsafe`select count(*) from ${sql.identifier([table])}`));
  const all = stack.move();
  return {
    ...system,
    accepted,
    claimed,
    running: async () => await claimed(await accepted()),
    child: async (parent) => await accepted({ parentId: parent }),
    settled: async ({ job: id, attempt, token }, state, result = null) => {
      const error = state === 'failed' ? { code: 'unavailable', message: 'told to fail' } : undefined;
      const { queue } = await job(id);
      const settlement: Settlement = {
        id,
        queue,
        attempt,
        token,
        state,
        event: state === 'queued' ? 'released' : state,
        data: state === 'queued' ? { reason: 'drain' } : {},
        result,
        error,
        counts: false,
        delayMs: 0,
      };
      return (await settle(settlement)) !== null;
    },
    job,
    stateOf: async (id) => (await job(id)).state,
    events: async (id) => {
      const events = await readEvents(context, id, 0, 30_000);
      const gap = events.findIndex(({ n }, index) => n !== index + 1);
      if (gap >= 0 || events.length !== (await job(id)).events)
        throw new Error(`the events are not dense: ${JSON.stringify(events.map(({ n }) => n))}`);
      return events.map(({ type, data }) =>
        type === 'released' ? `released ${(data as { reason: string }).reason}` : type,
      );
    },
    steps: async (id) => {
      const rows = await db.any(sql.type(stepRow)`select kind, name, value from steps where job = ${id} order by n`);
      return rows.map(({ kind, name, value }) => `${kind} ${name} ${JSON.stringify(value)}`);
    },
    left: async () => ({ waits: await count('waits'), wakes: await count('wakes') }),
    another: async () => all.use(await openContext(context.config, 'test')),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  };
}

/** Resolves once so many sessions of this database wait for a lock. */
export async function untilBlocked({ context: { db } }: Pick<Story, 'context'>, sessions: number): Promise<void> {
  for (const deadline = performance.now() + 30_000; ; ) {
    const blocked = Number(
      await db.oneFirst(sql.unsafe`
        select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    );
    if (blocked >= sessions) return;
    if (performance.now() > deadline)
      throw new Error(`expected ${sessions} sessions that wait for a lock, got ${blocked}`);
  }
}

/** Lets two things be under way before either is done: both statements have begun when the lock of the job goes. */
export async function together<A, B>(
  story: Pick<Story, 'context' | 'connect'>,
  id: string,
  one: () => Promise<A>,
  two: () => Promise<B>,
): Promise<readonly [A, B]> {
  const holder = await story.connect();
  await holder.query('begin');
  await holder.query('select from jobs where id = $1 for update', [id]);
  const first = one();
  await untilBlocked(story, 1);
  const second = two();
  await untilBlocked(story, 2);
  await holder.query('commit');
  return [await first, await second];
}
