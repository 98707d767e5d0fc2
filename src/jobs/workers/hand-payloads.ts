import { sql } from 'slonik';
import { readContent } from '#src/jobs/contents/content.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import { noQueue, registryOf } from '#src/jobs/registry/registry.ts';
import { conclude, type Ended, failed, released } from '#src/jobs/run/conclude.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import { describeError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { perContext } from '#src/system/per-context.ts';
import type { Given } from './hands.ts';
import { giveBack } from './remote-worker.ts';

/** Bytes of payloads beside their rows that one answer carries; the first of them in any case. */
const ANSWER_BYTES = 16_777_216;

const settlementsOf = perContext(openSettlements);

/**
 * The jobs with their payloads, also those that lie beside their rows. What one answer cannot carry goes back to its
 * queue; a job whose payload is lost has failed, and one whose payload cannot be had now comes again.
 */
export async function withPayloads(
  context: Context,
  worker: string,
  given: readonly Given[],
): Promise<readonly Given[]> {
  if (given.every(({ payloadContent }) => payloadContent === null)) return given;
  let bytes = 0;
  const [fit, rest]: [Given[], Given[]] = [[], []];
  for (const job of given) {
    const size = job.payloadContent?.size ?? 0;
    const isFit = bytes === 0 || bytes + size <= ANSWER_BYTES;
    if (isFit) bytes += size;
    (isFit ? fit : rest).push(job);
  }
  const jobs = rest.map(({ id }) => id);
  await giveBack(context, worker, jobs, 'drain').catch((error: unknown) =>
    logFailure(context, error, { worker, jobs }, 'jobs that an answer could not carry were not given back yet'),
  );
  const whole = await Promise.all(fit.map(async (job) => await withPayload(context, job)));
  // the answer is long: its worker has a lease from now on to read it, and to poll again
  await context.db.query(sql.unsafe`update workers set beat_at = clock_timestamp() where id = ${worker}`);
  return whole.filter((job) => job !== null);
}

/** The job with its payload; null where it cannot be had, and its attempt is over. */
async function withPayload(context: Context, job: Given): Promise<Given | null> {
  const { id, payloadContent } = job;
  if (payloadContent === null) return job;
  try {
    const payload = await readContent(context, payloadContent, `payload of the job ${id}`);
    return { ...job, payload, payloadContent: null };
  } catch (error) {
    await endWithout(context, job, error).catch((cause: unknown) =>
      logFailure(context, cause, { job: id }, 'a job without its payload was not settled; its lease decides'),
    );
    return null;
  }
}

/** Ends an attempt whose payload could not be read. */
async function endWithout(context: Context, job: Given, error: unknown): Promise<void> {
  const { id, attempt, token } = job;
  const queue = await registryOf(context).find(job.queue, job.version);
  if (!queue) throw noQueue(job.queue);
  const ended: Ended = { queue, claimed: job, token, log: openJobLog(context, id, attempt) };
  const failure = describeError(error);
  const isLost = failure.code === 'content_lost';
  if (!isLost) await logFailure(context, error, { job: id }, 'the payload of a job was not read; the job comes again');
  const settlement = isLost
    ? failed(context, ended, { error: failure, retryable: false }, queue.attempts)
    : released(ended, 'payload_away');
  await conclude(context, settlementsOf(context), ended, settlement);
}
