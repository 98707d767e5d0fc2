import { lastNumbers } from '#src/jobs/ledger/ledger.ts';
import { endsJob, jobChannel } from '#src/jobs/model/channels.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { contextBus } from '#src/system/context-bus.ts';
import { perContext } from '#src/system/per-context.ts';
import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';
import { readJobs } from './read-jobs.ts';

/** Milliseconds that a lost message costs at most. */
const COMPARE_MS = 1_000;

/**
 * The jobs of these ids, once every one of them has ended, by id. Woken by their channels; Postgres has the last word
 * and is queried every second in any case. While it is away, this waits.
 *
 * @throws the signal's reason when it is aborted, AppError `not_found` for an id that no job has.
 */
export async function awaitJobs(
  context: Context,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Job>> {
  const ended = new Map<string, Job>();
  const missing = () => ids.filter((id) => !ended.has(id));
  let wake = () => {};
  let news = true;
  const look = () => {
    news = true;
    wake();
  };
  const hear = (text: string) => void (endsJob(text) && look());
  signal.addEventListener('abort', look);
  const clock = setInterval(look, COMPARE_MS);
  const bus = contextBus(context);
  const subscriptions = ids.map((id) =>
    bus.subscribe(jobChannel(context.config, id), { message: hear, resubscribed: look }),
  );
  // the channel of a job that ended before Redis had acknowledged stays silent
  for (const { ready } of subscriptions) void ready.then(look);
  try {
    for (;;) {
      signal.throwIfAborted();
      news = false;
      for (const job of await readEnded(context, missing())) ended.set(job.id, job);
      if (missing().length === 0) return ended;
      // the flag is set by what came while Postgres was read
      if (!news) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearInterval(clock);
    signal.removeEventListener('abort', look);
    for (const subscription of subscriptions) subscription.close();
  }
}

async function readEnded(context: Context, ids: readonly string[]): Promise<readonly Job[]> {
  try {
    const found = await Promise.all(ids.map(readTogether(context)));
    const unknown = ids[found.indexOf('unknown')];
    if (unknown !== undefined) throw new AppError('not_found', `No job has the id ${unknown}.`, { job: unknown });
    return found.filter((one) => typeof one === 'object');
  } catch (error) {
    if (isConnectionLost(error) || isTimeout(error)) return [];
    throw error;
  }
}

/** Looks at jobs, at those of one moment together: many wait for one each. */
const readTogether = perContext((context: Context) =>
  lanes<string, Job | 'unfinished' | 'unknown'>(async (ids) => {
    const known = await lastNumbers(context, ids);
    const over = ids.filter((id) => isTerminal(known.get(id)?.state ?? ''));
    const ended = over.length === 0 ? [] : await readJobs(context, over);
    const jobs = new Map(ended.map((job) => [job.id, job]));
    return ids.map((id) => {
      const value = jobs.get(id) ?? (known.has(id) ? ('unfinished' as const) : ('unknown' as const));
      return { status: 'fulfilled', value };
    });
  }),
);
