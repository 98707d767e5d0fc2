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

/** Writes ended jobs on stdout, and what is said about them on stderr. */
type Show = (options: Printing, jobs: readonly JobView[]) => void;

/** Ends the process with this where the time is over and a job has not ended. */
const NOT_YET = 3;

/**
 * Waits until jobs have ended and prints how. Exit code 0 when all succeeded, 1 when one did not, 3 when one goes on.
 */
export async function waitForJobs(ids: readonly string[], options: WaitOptions): Promise<void> {
  await waitAndShow(ids, options, (printing, jobs) => print(printing, jobs, () => jobTable(jobs)));
}

/** Waits as {@link waitForJobs} does for one job, and prints its result alone; its state or its error goes to stderr. */
export async function waitForResult(id: string, options: WaitOptions): Promise<void> {
  await waitAndShow([id], options, (printing, jobs) => {
    if (printing.json) return print(printing, jobs, () => '');
    for (const job of jobs) showResult(printing, job);
  });
}

function showResult(printing: Printing, job: JobView): void {
  process.stderr.write(`${stateSentence(job)}\n`);
  if (job.state === 'succeeded') print(printing, job.result, () => JSON.stringify(job.result ?? null, null, 2));
}

function stateSentence({ id, state, error }: JobView): string {
  if (!isTerminal(state)) return `The job ${id} has not ended: it is ${state}. Wait on: proofline jobs wait ${id}`;
  return error ? `The job ${id} ${state}: ${error.message} (${error.code})` : `The job ${id} ${state}.`;
}

async function waitAndShow(ids: readonly string[], { timeout, ...options }: WaitOptions, show: Show): Promise<void> {
  const stop = stopSignal();
  const limit = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(millisecondsOf(timeout));
  const client = await openApi(options, stop);
  const waits = ids.map(async (id) => await endOf(client, id, AbortSignal.any([stop, limit])));
  const jobs = await Promise.all(waits).catch((error: unknown) => {
    throw stop.aborted ? new AppError('cancelled', 'Stopped as asked; the jobs go on.') : error;
  });
  show(options, jobs);
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
