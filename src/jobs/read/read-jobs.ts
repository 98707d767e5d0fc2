import { type CommonQueryMethods, sql } from 'slonik';
import {
  type Job,
  type JobSummary,
  jobColumns,
  jobRow,
  jobSummaryColumns,
  jobSummaryRow,
} from '#src/jobs/model/job.ts';
import { type State, states } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

export async function readJob({ db }: { readonly db: CommonQueryMethods }, id: string): Promise<Job | null> {
  return await db.maybeOne(sql.type(jobRow)`select ${jobColumns} from jobs j where j.id = ${id}`);
}

/** Reads jobs whole, in no order; one that is gone is missing. */
export async function readJobs(
  { db }: { readonly db: CommonQueryMethods },
  ids: readonly string[],
): Promise<readonly Job[]> {
  return await db.any(sql.type(jobRow)`
    select ${jobColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')})`);
}

export interface JobFilter {
  /** null: every owner's, for operators. */
  readonly owner: string | null;
  readonly queue?: string;
  readonly state?: State;
  /** Only jobs that this job submitted. */
  readonly parent?: string;
  /** 1 to 100. */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface JobPage {
  readonly jobs: readonly JobSummary[];
  readonly nextCursor: string | null;
}

/**
 * Newest first, without payloads and results. One index look-up per state, so a page costs the same however many jobs
 * there are; with a filter by queue it also reads those of other queues that lie between.
 */
export async function listJobs({ db }: Pick<Context, 'db'>, filter: JobFilter): Promise<JobPage> {
  const { limit, cursor } = filter;
  const before = cursor === undefined ? null : readCursor(cursor);
  const jobs = await db.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from (${newestJobs(filter, before, limit + 1)}) j order by j.id desc`);
  const page = jobs.slice(0, limit);
  const last = page.at(-1);
  return { jobs: page, nextCursor: jobs.length > limit && last ? cursorAt(last.id) : null };
}

/** Every id stands between these. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The rows of the newest jobs of a filter with ids below `before`, at most `limit`; in no order. Those of an owner are ranges
 * of the index by owner, state and id: where owner and state are said to be equal to something, Postgres may read all jobs
 * by id instead, and reads them to the first one where an owner of most has none in a state.
 */
export function newestJobs(
  { owner, queue, state, parent }: Omit<JobFilter, 'limit' | 'cursor'>,
  before: string | null,
  limit: number,
) {
  const filter = narrowing({ queue, parent });
  const wanted = sql.array(state === undefined ? [...states] : [state], 'text');
  const last = before ?? LAST_ID;
  return owner === null
    ? sql.fragment`
      select * from jobs j where j.id < ${last} and ${filter} and j.state = any(${wanted}) order by j.id desc limit ${limit}`
    : sql.fragment`
      select newest.* from unnest(${wanted}) as s (state), lateral (
        select * from jobs j where (j.owner, j.state, j.id) < (${owner}, s.state, ${last}::uuid)
          and (j.owner, j.state, j.id) > (${owner}, s.state, ${FIRST_ID}::uuid) and ${filter}
        order by j.owner desc, j.state desc, j.id desc limit ${limit}
      ) newest order by newest.id desc limit ${limit}`;
}

/** Writes a filter's conditions on a row `j` beside its owner and its state. */
export function narrowing({
  queue,
  parent,
}: {
  readonly queue: string | undefined;
  readonly parent: string | undefined;
}) {
  return sql.fragment`
    ${parent === undefined ? sql.fragment`true` : sql.fragment`j.parent_id = ${parent}`} and
    ${queue === undefined ? sql.fragment`true` : sql.fragment`j.queue = ${queue}`}`;
}

export function cursorAt(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** @throws AppError `invalid_request` for a text that is no cursor of ours. */
export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new AppError(
    'invalid_request',
    `cursor: expected next_cursor of the page before, got ${JSON.stringify(cursor.slice(0, 80))}.`,
  );
}
