import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { Job, jobColumns } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Request for a film, in the client's own words. */
export interface VideoRequest {
  readonly prompt: string;
  readonly model?: string;
  readonly seconds?: number | string;
  readonly size?: string;
}

const Video = Type.Object({ ...Job.properties, asked: Type.Unsafe<VideoRequest>({}) });
/** A film as clients of OpenAI's kind know it: its job, and the request. */
export type Video = Static<typeof Video>;
const videoRow = row(Video);
const source = sql.fragment`platform_videos v join jobs j on j.id = v.id`;

/** From now on a job is a film of its owner's; a request that is repeated changes nothing. */
export async function keepVideo(
  { db }: Pick<Context, 'db'>,
  { id, owner }: Pick<Job, 'id' | 'owner'>,
  { prompt, model, seconds, size }: VideoRequest,
): Promise<void> {
  await db.query(sql.unsafe`
    insert into platform_videos (id, owner, asked)
    values (${id}, ${owner}, ${JSON.stringify({ prompt, model, seconds, size })}::jsonb) on conflict (id) do nothing`);
}

export async function readVideo({ db }: Pick<Context, 'db'>, owner: string, id: string): Promise<Video | null> {
  return await db.maybeOne(sql.type(videoRow)`
    select ${jobColumns}, v.asked from ${source} where v.id = ${id} and v.owner = ${owner}`);
}

/** @param after id of the last of the page before */
export async function listVideos(
  { db }: Pick<Context, 'db'>,
  owner: string,
  { after, order, limit }: { readonly after: string | undefined; readonly order: string; readonly limit: number },
): Promise<readonly Video[]> {
  const isUp = order === 'asc';
  const beyond = isUp ? sql.fragment`v.id > ${after ?? null}` : sql.fragment`v.id < ${after ?? null}`;
  return await db.any(sql.type(videoRow)`
    select ${jobColumns}, v.asked from ${source} where v.owner = ${owner}
    and ${after === undefined ? sql.fragment`true` : beyond}
    order by v.id ${isUp ? sql.fragment`asc` : sql.fragment`desc`} limit ${limit}`);
}

/** Removes the film alone: the job stays, and its events. */
export async function forgetVideo({ db }: Pick<Context, 'db'>, id: string): Promise<void> {
  await db.query(sql.unsafe`delete from platform_videos where id = ${id}`);
}
