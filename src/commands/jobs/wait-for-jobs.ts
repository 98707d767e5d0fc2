import { type AccessOptions, openApi } from '#src/commands/client/api-access.ts';
import type { Client } from '#src/commands/client/api-client.ts';
import { followLive } from '#src/commands/client/follow-live.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { stopSignal } from '#src/commands/terminal/stop-signal.ts';
import type { JobView } from '#src/jobs/model/job-view.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readDecimal } from '#src/lib/decimal.ts';
import { AppError } from '#src/lib/errors.ts';
import { jobTable } from './jobs-text.ts';

interface WaitOptions extends AccessOptions, Printing {
  readonly timeout?: string;
}

/** Ends the process with this where the time is over and a job has not ended. */
const NOT_YET = 3;

/**
 * Waits until jobs have ended and prints how. Exit code 0 when all succeeded, 1 when one did not, 3 when one goes on.
 */
export async function waitForJobs(ids: readonly string[], { timeout, ...options }: WaitOptions): Promise<void> {
  const stop = stopSignal();
  const limit = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(millisecondsOf(timeout));
  const client = await openApi(options, stop);
  const waits = ids.map(async (id) => await endOf(client, id, AbortSignal.any([stop, limit])));
  const jobs = await Promise.all(waits).catch((error: unknown) => {
    throw stop.aborted ? new AppError('cancelled', 'Stopped as asked; the jobs go on.') : error;
  });
  print(options, jobs, () => jobTable(jobs));
  const states = jobs.map(({ state }) => state);
  if (!states.every(isTerminal)) process.exitCode = NOT_YET;
  else if (states.some((state) => state !== 'succeeded')) process.exitCode = 1;
}

/** A job once it has ended, across lost connections; as it is when the signal comes. */
export async function endOf(client: Client, id: string, signal: AbortSignal): Promise<JobView> {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const onLost = (why: string) => void process.stderr.write(`lost the stream of ${id} (${why}); trying again\n`);
  for await (const { type } of followLive(client, `${path}/events`, { signal, onLost })) {
    if (!isTerminal(type) && type !== 'reset') continue;
    // what ended may have been redriven since, and a reset says only that something was missed
    const job = await client.call<JobView>('GET', path);
    if (isTerminal(job.state)) return job;
  }
  return await client.call<JobView>('GET', path);
}

function millisecondsOf(seconds: string): number {
  const ms = (readDecimal(seconds) ?? -1) * 1_000;
  if (ms >= 0 && ms < 2 ** 31) return ms;
  throw new AppError(
    'invalid_request',
    `--timeout: expected seconds from 0 to 2147483, got ${JSON.stringify(seconds)}.`,
  );
}
