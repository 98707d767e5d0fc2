import { sql } from 'slonik';
import Type from 'typebox';
import { readContent } from '#src/jobs/contents/content.ts';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { keyedJob } from './keyed-job.ts';

const Found = Type.Object({
  id: Type.String(),
  payload: Type.Unsafe<unknown>({}),
  content: Type.Union([ContentRef, Type.Null()]),
});

/** Id and payload of a job that was submitted under a key. */
export type Found = Omit<Type.Static<typeof Found>, 'content'>;

/**
 * Reads the job of this owner, queue and idempotency key, also of a key that it had before it was replaced; null when there
 * is none. Whether the request is the same as then is not looked at: `submit` compares it.
 *
 * @throws AppError `content_lost`, `unavailable`
 */
export async function findByKey(context: Context, owner: string, queue: string, key: string): Promise<Found | null> {
  const found = await context.db.maybeOne(sql.type(row(Found))`
    select id, payload, payload_content as content
    from jobs where queue = ${queue} and id = (${keyedJob({ owner: sql.fragment`${owner}`, key: sql.fragment`${key}` })})`);
  if (!found?.content) return found;
  const { id, content } = found;
  return { id, payload: await readContent(context, content, `payload of the job ${id}`) };
}
