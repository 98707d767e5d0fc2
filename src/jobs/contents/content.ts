import { hash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { sql } from 'slonik';
import { MOST_CONTENT_BYTES } from '#queues/define.ts';
import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import { isReserved } from '#src/jobs/registry/queue-name.ts';
import { AppError } from '#src/lib/errors.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { storageError } from '#src/system/blobs/gather.ts';
import type { Context } from '#src/system/context.ts';

/** JSON text of up to so many bytes lies in the row of its job. */
export const ROW_BYTES = 262_144;

/** A UUID and a line feed stand before the JSON text. */
const HEAD_BYTES = 37;

/**
 * Checks whether a JSON text is too large for its row. Those of built-in queues never are: what they take is bounded
 * elsewhere, and other code reads it from the row.
 */
export function isLarge(queue: string, text: string): boolean {
  // a character has three bytes at most, so that a short text is not looked at
  return text.length > ROW_BYTES / 3 && Buffer.byteLength(text) > ROW_BYTES && !isReserved(queue);
}

/**
 * Stores the JSON text of a job's payload or result beside its row. It is removed an hour later unless the job names it
 * by then. No content is shared: a random text before it makes its digest its own, so that it can go with its job.
 *
 * @throws AppError `payload_too_large`; `storage_full`; `unavailable` while the storage or Postgres is away
 */
export async function keepContent(context: Context, job: string, text: string): Promise<ContentRef> {
  const size = Buffer.byteLength(text);
  if (size > MOST_CONTENT_BYTES)
    throw new AppError('payload_too_large', `expected at most ${MOST_CONTENT_BYTES} bytes of JSON, got ${size}.`, {
      limit_bytes: MOST_CONTENT_BYTES,
    });
  const bytes = Buffer.from(`${randomUUID()}\n${text}`);
  const sha256 = hash('sha256', bytes, 'hex');
  // before it is stored: what a process that ends here leaves behind is found by this row
  await context.db.query(sql.unsafe`
    insert into job_contents (sha256, job) values (decode(${sha256}, 'hex'), ${job})`);
  await blobsOf(context).put(bytes);
  return { sha256, size };
}

/**
 * Reads a payload or a result that lies beside its row.
 *
 * @param name names it in a sentence, such as `payload of the job …`
 * @throws AppError `content_lost` where the storage has lost or changed it; `unavailable`
 */
export async function readContent(context: Context, { sha256, size }: ContentRef, name: string): Promise<unknown> {
  const opened = await blobsOf(context).open(sha256);
  if (!opened) throw lost(name, size, 'it is no longer in the artefact storage');
  const bytes = await buffer(opened.stream).catch((error: unknown) => {
    throw storageError(error);
  });
  if (hash('sha256', bytes, 'hex') !== sha256) throw lost(name, size, 'the artefact storage has other bytes');
  return JSON.parse(bytes.toString('utf8', HEAD_BYTES));
}

function lost(name: string, size: number, why: string): AppError {
  return new AppError('content_lost', `expected the ${name} (${size} bytes), got none: ${why}. Submit the job again.`);
}
