import { hash } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import { type Job, jobColumns, jobRow } from '#src/jobs/model/job.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { keyedJob } from './keyed-job.ts';

/** A request under an idempotency key, as {@link requestHash} has it. */
export interface KeyedRequest {
  readonly key: string;
  readonly hash: string;
}

const Repeated = row(Type.Object({ key: Type.String(), id: Type.String() }));

/** Returns the text by which a repeated request is recognised: SHA-256, hexadecimal. */
export function requestHash(queue: string, request: string): string {
  return hash('sha256', `${queue}\0${request}`, 'hex');
}

/**
 * Finds the jobs of requests that were made before, by their keys, also where those jobs were replaced since. A repetition is
 * answered by them whatever has become of the queue, its contract and the clock since.
 */
export async function findRepeated(
  { db }: Pick<Context, 'db'>,
  owner: string,
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<string, string>> {
  if (requests.length === 0) return new Map();
  const texts = (values: readonly string[]) => sql.array([...values], 'text');
  const rows = await db.any(sql.type(Repeated)`
    select g.key, j.id from unnest(${texts(requests.map(({ key }) => key))}, ${texts(requests.map((one) => one.hash))}) as g (key, hash)
    cross join lateral (${keyedJob({ owner: sql.fragment`${owner}`, key: sql.fragment`g.key`, hash: sql.fragment`g.hash` })}) j`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** Reads the job of one request that was made before; null where there is none, or another request has its key. */
export async function repeatedJob(
  { db }: Pick<Context, 'db'>,
  owner: string,
  { key, hash: digest }: KeyedRequest,
): Promise<Job | null> {
  return await db.maybeOne(sql.type(jobRow)`
    select ${jobColumns} from jobs j
    where j.id = (${keyedJob({ owner: sql.fragment`${owner}`, key: sql.fragment`${key}`, hash: sql.fragment`${digest}` })})`);
}
