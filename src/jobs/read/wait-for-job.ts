import { endsJob, jobChannel } from '#src/jobs/model/channels.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import type { Context } from '#src/system/context.ts';
import { isConnectionLost, isTimeout } from '#src/system/postgres/postgres-errors.ts';
import type { Bus } from '#src/system/redis/bus.ts';
import { readJob } from './read-jobs.ts';

/** Milliseconds between reads of the row regardless of messages: a lost PUBLISH must not cost the whole wait. */
const doubtMs = 5_000;

/**
 * The job once it is final, or as it is after `ms` milliseconds. Hears of the end from the job's channel; the row has
 * the last word. Null when there is none, or Postgres does not answer at the end of the wait. Aborting `signal` (the
 * client has gone) ends the wait early; a signal that is aborted already lets it look once.
 */
export async function waitForJob(
  context: Context,
  { bus }: { readonly bus: Bus },
  id: string,
  ms: number,
  signal?: AbortSignal,
): Promise<Job | null> {
  let wake = notYet;
  let news = true;
  const look = () => {
    news = true;
    wake();
  };
  const subscription = bus.subscribe(jobChannel(context.config, id), {
    message: (text) => void (endsJob(text) && look()),
    resubscribed: look,
  });
  let over = false;
  const stop = () => {
    over = true;
    wake();
  };
  const timer = setTimeout(stop, ms);
  const doubt = setInterval(look, doubtMs);
  signal?.addEventListener('abort', stop);
  // a signal that was aborted before says nothing any more
  if (signal?.aborted) stop();
  try {
    // what was published before the acknowledgement is in the row already
    if (!over) await Promise.race([subscription.ready, new Promise<void>((resolve) => (wake = resolve))]);
    for (;;) {
      news = false;
      const job = await readIfThere(context, id);
      if (job === 'away' && over) return null;
      if (job !== 'away' && (!job || over || isTerminal(job.state))) return job;
      // the flag is set by messages that came while the row was read
      if (!news && !over) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    clearTimeout(timer);
    clearInterval(doubt);
    signal?.removeEventListener('abort', stop);
    subscription.close();
  }
}

/** Postgres may go and come back during a wait: the job is accepted, and the next look may find it. */
async function readIfThere(context: Context, id: string): Promise<Job | null | 'away'> {
  try {
    return await readJob(context, id);
  } catch (error) {
    if (isConnectionLost(error) || isTimeout(error)) return 'away';
    throw error;
  }
}

function notYet(): void {}
