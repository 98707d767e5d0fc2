import { buffer } from 'node:stream/consumers';
import type { Payload } from '#queues/define.ts';
import type { batch } from '#queues/platform.ts';
import { AppError } from '#src/lib/errors.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { type BatchLine, readBatchLines } from './read-lines.ts';

const CHUNK = 262_144;

type Input = Pick<Payload<typeof batch>, 'sha256' | 'size'>;

/** The lines of a batch's input, one after the other; its requests are no longer than those to a route. */
export function inputLines(context: Context, input: Input): AsyncGenerator<BatchLine, void, undefined> {
  return readBatchLines(chunks(context, input), context.config.TEXT_BODY_LIMIT_BYTES);
}

/** In parts that are fetched when they are needed: a stream that waits for hours while lines are done would break. */
async function* chunks(context: Context, { sha256, size }: Input): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < size; start += CHUNK) {
    const opened = await blobsOf(context).open(sha256, { start, end: Math.min(start + CHUNK, size) - 1 });
    if (!opened) throw new AppError('not_found', 'expected the bytes of the input of a batch, got none: it is gone.');
    yield await buffer(opened.stream);
  }
}
