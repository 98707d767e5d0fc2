import { type CommonQueryMethods, sql } from 'slonik';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { type Job, type JobSummary, jobColumns, jobRow, jobSummaryColumns, jobSummaryRow } from './job.ts';
import { type State, states } from './states.ts';

export async function readJob({ db }: { readonly db: CommonQueryMethods }, id: string): Promise<Job | null> {
  return await db.maybeOne(sql.type(jobRow)`select ${jobColumns} from jobs j where j.id = ${id}`);
}

export interface JobFilter {
  /** null: every owner's, for operators. */
  readonly owner: string | null;
  readonly queue?: string;
  readonly state?: State;
  /** 1 to 100. */
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** Newest first, without payloads and results. One index look-up per state, so a page costs the same however many jobs there are. */
export async function listJobs(
  { db }: Pick<Context, 'db'>,
  { owner, queue, state, limit, cursor }: JobFilter,
): Promise<{ readonly jobs: readonly JobSummary[]; readonly nextCursor: string | null }> {
  const before = cursor === undefined ? null : readCursor(cursor);
  const filter = sql.fragment`
    ${before === null ? sql.fragment`true` : sql.fragment`j.id < ${before}`} and
    ${queue === undefined ? sql.fragment`true` : sql.fragment`j.queue = ${queue}`}`;
  const wanted = state === undefined ? states : [state];
  const jobs = await db.any(
    owner === null
      ? sql.type(jobSummaryRow)`
        select ${jobSummaryColumns} from jobs j where ${filter} and j.state = any(${sql.array([...wanted], 'text')})
        order by j.id desc limit ${limit + 1}`
      : sql.type(jobSummaryRow)`
        select ${jobSummaryColumns} from unnest(${sql.array([...wanted], 'text')}) as s (state), lateral (
          select * from jobs j where j.owner = ${owner} and j.state = s.state and ${filter} order by j.id desc limit ${limit + 1}
        ) j order by j.id desc limit ${limit + 1}`,
  );
  const page = jobs.slice(0, limit);
  const last = page.at(-1);
  return { jobs: page, nextCursor: jobs.length > limit && last ? Buffer.from(last.id).toString('base64url') : null };
}

function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new AppError(
    'invalid_request',
    `cursor: expected next_cursor of the page before, got ${JSON.stringify(cursor.slice(0, 80))}.`,
  );
}
