import type { batch } from '#queues/platform.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { clearSuspicion } from '#src/jobs/run/clear-suspect.ts';
import { AppError } from '#src/lib/errors.ts';
import { mostLines } from '#src/platform/batches/batch-limits.ts';
import {
  type Batch,
  type BatchError,
  beginBatch,
  endBatch,
  finalizeBatch,
  openBatch,
} from '#src/platform/batches/batch-store.ts';
import { inputLines } from '#src/platform/batches/input-lines.ts';
import { endedNumbers, hasEndedWith } from '#src/platform/batches/line-store.ts';
import { writeResults } from '#src/platform/batches/write-results.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { roomyLines } from './roomy-lines.ts';
import { runLine } from './run-line.ts';
import { watchBatch } from './watch-batch.ts';

type BatchRun = Run<typeof batch>;

/**
 * Carries out the lines of a file, a bounded number at once, and then writes what came of them. It may begin again at
 * any moment: lines that are over have a row, and the jobs of the others are found by their idempotency keys. A suspect
 * reads its file and writes its results alone, but never waits for its lines there.
 *
 * @throws AppError `invalid_payload` where the file cannot be a batch.
 */
export const runBatchProcessor: Processor<typeof batch> = async (run) => {
  const { context, job, payload } = run;
  const opened = await openBatch(context, job.id, job.owner, payload);
  if (opened.endedAt) return resultOf(opened);
  if (!opened.finalizingAt) {
    const { total, refused } = await countLines(run);
    if (refused) {
      await endBatch(context, opened, 'failed', [refused]);
      throw refusal(refused);
    }
    await beginBatch(context, job.id, total);
    // its lines may be suspects as well, and would wait for this process as long as this waits for them
    if (await clearSuspicion(context, job)) throw new StopReason('drain');
    await runLines(run, total);
  }
  const last = await finalizeBatch(context, job.id);
  run.emit({ stage: 'finalizing', done: last.completed + last.failed, of: last.total });
  await writeResults(run, last);
  const isExpired = await hasEndedWith(context, job.id, 'batch_expired');
  await endBatch(context, last, last.cancellingAt ? 'cancelled' : isExpired ? 'expired' : 'completed');
  return resultOf(await openBatch(context, job.id, job.owner, payload));
};

/** Counts the lines, or says why the file cannot be a batch. */
async function countLines({ context, payload, emit, signal }: BatchRun) {
  emit({ stage: 'validating', done: 0, of: 0 });
  let total = 0;
  try {
    for await (const { number } of inputLines(context, payload)) {
      signal.throwIfAborted();
      total++;
      if (total > mostLines) return refuse('too_many_lines', `expected at most ${mostLines} lines, got more.`, number);
    }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    return refuse('file_not_found', error.message);
  }
  return total === 0 ? refuse('empty_file', 'expected at least one line, got none.') : { total, refused: null };
}

const refuse = (code: string, message: string, line: number | null = null) => ({
  total: 0,
  refused: { code, message, line, param: 'input_file_id' } satisfies BatchError,
});

/** Runs every line that is not over, BATCH_CONCURRENCY at once; one that fails as a whole stops all. */
async function runLines(run: BatchRun, total: number): Promise<void> {
  const { context, job, signal, payload } = run;
  const ended = await endedNumbers(context, job.id);
  await using watch = watchBatch(context, job.id, payload.keyId);
  const halt = new AbortController();
  const halted = AbortSignal.any([signal, halt.signal]);
  const lines = roomyLines(context, inputLines(context, payload), halted);
  let done = ended.size;
  const seen = new Set<string>();
  const runner = async () => {
    // the generator answers one at a time, in order: the ids seen before a line are those of the lines before it
    for await (const { line, leave } of lines) {
      const isOver = ended.has(line.number);
      try {
        halted.throwIfAborted();
        await runLine({ ...run, signal: halted, stop: watch.signal, seen, payload }, line, isOver);
      } finally {
        leave();
      }
      if (isOver) continue;
      done++;
      run.emit({ stage: 'in_progress', done, of: total });
    }
  };
  const runners = Array.from({ length: context.config.BATCH_CONCURRENCY }, async () => {
    await runner().catch((error: unknown) => {
      halt.abort(error);
      throw error;
    });
  });
  const settled = await Promise.allSettled(runners);
  await lines.return();
  const failure = settled.find((one) => one.status === 'rejected');
  if (failure) throw halted.reason ?? failure.reason;
}

function resultOf({ status, total, completed, failed, errors }: Batch) {
  const [refused] = errors ?? [];
  if (refused) throw refusal(refused);
  if (status !== 'completed' && status !== 'expired' && status !== 'cancelled') {
    throw new AppError('internal', `expected a batch that is over, got one that is ${status}.`);
  }
  return { status, total, completed, failed };
}

const refusal = ({ message, code, line }: BatchError): AppError =>
  new AppError('invalid_payload', `The file cannot be a batch: ${message}`, { reason: code, line });
