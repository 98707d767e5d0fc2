import type { Client } from 'pg';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';

const BATCH = 100;

/** Contents that are due, with whether their jobs name them. */
const due = `
  select encode(c.sha256, 'hex') as sha256, exists (
    select from jobs j where j.id = c.job
      and encode(c.sha256, 'hex') in (j.payload_content ->> 'sha256', j.result_content ->> 'sha256')
  ) as used
  from job_contents c where c.look_at <= now() order by c.look_at limit ${BATCH}`;

const keep = `update job_contents set look_at = null where sha256 = any($1::bytea[])`;
/** One that the storage did not remove must not keep the others waiting. */
const postpone = `update job_contents set look_at = now() + interval '10 minutes' where sha256 = $1`;
const forget = `delete from job_contents where sha256 = any($1::bytea[])`;

/**
 * Removes payloads and results beside their rows that no job names any more, or that none has named within an hour,
 * until `deadline` (of `performance.now()`) or until none is left. Answers how many went, and whether some are left.
 */
export async function forgetContents(
  context: Context,
  client: Client,
  deadline: number,
): Promise<{ readonly count: number; readonly more: boolean }> {
  let count = 0;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ sha256: string; used: boolean }>(due);
    const digests = (used: boolean) => rows.filter((one) => one.used === used).map(({ sha256 }) => sha256);
    const asBytes = (all: readonly string[]) => all.map((sha256) => Buffer.from(sha256, 'hex'));
    await client.query(keep, [asBytes(digests(true))]);
    const gone: string[] = [];
    for (const sha256 of digests(false)) {
      try {
        await blobsOf(context).remove(sha256);
        gone.push(sha256);
      } catch (error) {
        await logFailure(context, error, { sha256 }, 'a payload or result could not be removed; it comes again');
        await client.query(postpone, [Buffer.from(sha256, 'hex')]);
        break;
      }
    }
    await client.query(forget, [asBytes(gone)]);
    count += gone.length;
    if (rows.length < BATCH || gone.length < digests(false).length) return { count, more: false };
  }
  return { count, more: true };
}
