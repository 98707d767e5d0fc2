import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { jobColumns, jobRow } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { leadByLock } from '#src/system/leader.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { sealJob } from './seal-job.ts';

const LOOK_MS = 500;
const PAGE = 100;

/** Seals the receipts of jobs that have ended and want one, in one process at a time. */
export function startSealingJobs(context: Context): AsyncDisposable {
  return leadByLock(context, 'sealing-jobs', async (signal) => {
    while (!signal.aborted) {
      const more = await sealEndedJobs(context).catch(async (error: unknown) => {
        await logFailure(context, error, {}, 'jobs that ended could not be sealed; it comes again');
        return false;
      });
      if (!more) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** Seals what waits for it, at most a page; answers whether there may be more. One that cannot be sealed holds up no other. */
export async function sealEndedJobs(context: Context): Promise<boolean> {
  const ended = await context.db.any(sql.type(jobRow)`
    select ${jobColumns} from jobs j
    where j.receipt = 'wanted' and j.finished_at is not null order by j.finished_at limit ${PAGE}`);
  let sealed = 0;
  for (const job of ended) {
    try {
      await sealJob(context, job);
      sealed++;
    } catch (error) {
      await logFailure(context, error, { job: job.id }, 'a job that ended could not be sealed; it is tried again');
      // the signer is away for all of them
      if (error instanceof AppError && error.code === 'unavailable') return false;
    }
  }
  return ended.length === PAGE && sealed > 0;
}
