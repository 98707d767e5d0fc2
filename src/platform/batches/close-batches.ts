import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { Payload } from '#queues/define.ts';
import type { batch } from '#queues/platform.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type BatchError, endBatch, openBatch } from './batch-store.ts';
import { isOwnFault } from './own-fault.ts';
import { writeResults } from './write-results.ts';

const BATCH = 100;

const Left = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  payload: Type.Unsafe<Payload<typeof batch>>({}),
  state: Type.String(),
  code: Type.Union([Type.String(), Type.Null()]),
  message: Type.Union([Type.String(), Type.Null()]),
});
type Left = Static<typeof Left>;
const Ids = row(Type.Object({ id: Type.String() }));

/**
 * Ends batches whose job has ended without ending them: it was cancelled as a job, or has failed for good. Lines under
 * way are cancelled. Results of finished lines are written all the same, for they were paid for.
 *
 * @returns number of batches that it ended
 */
export async function closeBatches(context: Context, signal: AbortSignal): Promise<number> {
  const left = await context.db.any(sql.type(row(Left))`
    select b.id, b.owner, j.payload, j.state, j.error ->> 'code' as code, j.error ->> 'message' as message
    from batches b join jobs j on j.id = b.id
    where b.ended_at is null and j.state in ('succeeded', 'failed', 'cancelled') limit ${BATCH}`);
  for (const one of left) {
    if (signal.aborted) break;
    await cancelChildren(context, one.id);
    if (!(await keepResults(context, one, signal))) continue;
    const isCancelled = one.state === 'cancelled';
    const { inputSha256 } = await openBatch(context, one.id, one.owner, one.payload);
    await endBatch(
      context,
      { id: one.id, inputSha256 },
      isCancelled ? 'cancelled' : 'failed',
      isCancelled ? null : [errorOf(one)],
    );
  }
  return left.length;
}

/**
 * Writes the files of results, as far as that can be done: that it cannot may be what the job has failed with.
 *
 * @returns whether the batch can be ended now: not while another process writes them, or a server of ours is away
 */
async function keepResults(context: Context, { id, owner, payload }: Left, signal: AbortSignal): Promise<boolean> {
  try {
    await writeResults({ context, payload, signal }, await openBatch(context, id, owner, payload));
    return true;
  } catch (error) {
    const isForLater =
      error instanceof AppError ? ['stale_claim', 'unavailable'].includes(error.code) : !isOwnFault(error);
    context.log[isForLater ? 'warn' : 'error']({ err: error, batch: id }, 'the files of a batch could not be written');
    return !isForLater && !signal.aborted;
  }
}

async function cancelChildren(context: Context, id: string): Promise<void> {
  const open = await context.db.anyFirst(
    sql.type(Ids)`select id from jobs where parent_id = ${id} and finished_at is null`,
  );
  for (const child of open)
    await cancelJob(context, child, systemOwner, `its batch ${id} has ended`).catch(unlessEnded);
}

function errorOf({ code, message }: { readonly code: string | null; readonly message: string | null }): BatchError {
  return { code: code ?? 'internal', message: message ?? 'The batch failed on our side.', line: null, param: null };
}
