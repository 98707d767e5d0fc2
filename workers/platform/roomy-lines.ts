import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#src/lib/errors.ts';
import type { BatchLine } from '#src/platform/batches/read-lines.ts';
import type { Context } from '#src/system/context.ts';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';

const AGAIN_MS = 200;

/** A line, and what says that it is held in memory no more. */
interface RoomyLine {
  readonly line: BatchLine;
  readonly leave: () => void;
}

/**
 * The same lines, each once there is room for it: one that is longer than BODY_LIMIT_BYTES takes room of
 * UPLOAD_TOTAL_BYTES, and all behind it wait until it has some. A consumer has to leave each line that it takes.
 */
export async function* roomyLines(
  context: Context,
  lines: AsyncIterable<BatchLine>,
  signal: AbortSignal,
): AsyncGenerator<RoomyLine, void, undefined> {
  for await (const line of lines) {
    const length = line.text?.length ?? 0;
    const isLong = length > context.config.BODY_LIMIT_BYTES;
    yield { line, leave: isLong ? await roomFor(context, length, signal) : () => {} };
  }
}

async function roomFor(context: Context, bytes: number, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    try {
      return uploadBudget(context)(bytes);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
    }
    await sleep(AGAIN_MS, undefined, { signal });
  }
}
