import { sql } from 'slonik';
import { Type } from 'typebox';
import { cancelJob } from '#src/jobs/cancel.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { type BatchError, endBatch } from './batch-store.ts';

const BATCH = 100;

const Left = row(
  Type.Object({
    id: Type.String(),
    inputSha256: Type.String(),
    state: Type.String(),
    code: Type.Union([Type.String(), Type.Null()]),
    message: Type.Union([Type.String(), Type.Null()]),
  }),
);
const Ids = row(Type.Object({ id: Type.String() }));

/**
 * Ends batches whose job has ended without ending them: it was cancelled as a job, or has failed for good. Lines that are
 * under way are cancelled, and no files are written: who wants those cancels the batch. @returns how many
 */
export async function closeBatches(context: Context, signal: AbortSignal): Promise<number> {
  const left = await context.db.any(sql.type(Left)`
    select b.id, encode(b.input_sha256, 'hex') as "inputSha256", j.state, j.error ->> 'code' as code,
      j.error ->> 'message' as message
    from batches b join jobs j on j.id = b.id
    where b.ended_at is null and j.state in ('succeeded', 'failed', 'cancelled') limit ${BATCH}`);
  for (const batch of left) {
    if (signal.aborted) break;
    await cancelChildren(context, batch.id);
    const isCancelled = batch.state === 'cancelled';
    await endBatch(context, batch, isCancelled ? 'cancelled' : 'failed', isCancelled ? null : [errorOf(batch)]);
  }
  return left.length;
}

async function cancelChildren(context: Context, id: string): Promise<void> {
  const open = await context.db.anyFirst(
    sql.type(Ids)`select id from jobs where parent_id = ${id} and finished_at is null`,
  );
  for (const child of open) {
    try {
      await cancelJob(context, child, `batch ${id}`);
    } catch (error) {
      // it had ended
      if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
    }
  }
}

function errorOf({ code, message }: { readonly code: string | null; readonly message: string | null }): BatchError {
  return { code: code ?? 'internal', message: message ?? 'The batch failed on our side.', line: null, param: null };
}
