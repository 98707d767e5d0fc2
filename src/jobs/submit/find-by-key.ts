import { sql } from 'slonik';
import Type from 'typebox';
import { readContent } from '#src/jobs/contents/content.ts';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const Found = Type.Object({
  id: Type.String(),
  payload: Type.Unsafe<unknown>({}),
  content: Type.Union([ContentRef, Type.Null()]),
});

/** Id and payload of a job that was submitted under a key. */
export type Found = Omit<Type.Static<typeof Found>, 'content'>;

/**
 * The job of this owner, queue and idempotency key, also of one that it had before it was replaced; null when there is none. Whether the request is the same as then is
 * not looked at: `submit` compares it.
 *
 * @throws AppError `content_lost`, `unavailable`
 */
export async function findByKey(context: Context, owner: string, queue: string, key: string): Promise<Found | null> {
  const found = await context.db.maybeOne(sql.type(row(Found))`
    select id, payload, payload_content as content
    from jobs j where queue = ${queue} and id = (
      select id from jobs where owner = ${owner} and idempotency_key = ${key}
      union all
      select job from former_keys where owner = ${owner} and key = ${key}
      limit 1
    )`);
  if (!found?.content) return found;
  const { id, content } = found;
  return { id, payload: await readContent(context, content, `payload of the job ${id}`) };
}
