import { sql } from 'slonik';
import Type from 'typebox';
import { JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { isTimeout } from '#src/system/postgres/postgres-errors.ts';
import { cursorAt, type JobFilter, type JobPage, LAST_ID, narrowing, newestJobs, readCursor } from './read-jobs.ts';

/** Jobs that one statement looks into at first; more as long as they are read fast. */
const FIRST_SLICE = 250;
const LARGEST_SLICE = 4_000;
/** A slice that was read in this time is followed by a larger one. */
const FAST_MS = 100;
/** Longest time that one search takes, about, and that one statement of it takes. */
const SEARCH_MS = 2_000;
const STATEMENT_MS = 500;
/**
 * Payloads that take more than this many bytes in the database are not looked into: unpacking them takes most of the
 * time.
 */
const LARGEST_PAYLOAD = 65_536;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface SearchPage extends JobPage {
  /** Jobs accepted before this were not looked at, since it would have taken too long; null where all were. */
  readonly searchedTo: Date | null;
}

const Looked = Type.Object({ ...JobSummary.properties, fits: Type.Boolean() });

/**
 * Jobs of a filter with a text in their id, their idempotency key, the error they failed with last, or their payload,
 * whatever its case; newest first. Looks at as many as two seconds allow; the cursor goes on behind them.
 *
 * @throws AppError `unavailable` when the database is so slow that nothing could be looked at.
 */
export async function searchJobs(
  context: Pick<Context, 'db'>,
  filter: JobFilter & { readonly text: string },
): Promise<SearchPage> {
  const { limit, cursor } = filter;
  const until = performance.now() + SEARCH_MS;
  // a whole id is looked up, however old its job is: it heads the first page
  const id = UUID.test(filter.text) ? filter.text.toLowerCase() : null;
  const found: JobSummary[] = id === null || cursor !== undefined ? [] : [...(await lookUp(context, filter, id))];
  let before = cursor === undefined ? null : readCursor(cursor);
  let lookedTo: Date | null = null;
  for (let slice = FIRST_SLICE; ; ) {
    const begun = performance.now();
    const looked = await look(context, filter, before, slice);
    if (looked === null && performance.now() < until) {
      slice = Math.ceil(slice / 4);
      continue;
    }
    if (looked === null) {
      if (before === null || lookedTo === null) throw tooSlow();
      return { jobs: found, nextCursor: cursorAt(before), searchedTo: lookedTo };
    }
    for (const { fits, ...job } of looked) {
      if (!fits || job.id === id) continue;
      if (found.length === limit) return { jobs: found, nextCursor: cursorAt(before ?? LAST_ID), searchedTo: null };
      found.push(job);
      before = job.id;
    }
    const last = looked.at(-1);
    if (!last || looked.length < slice) return { jobs: found, nextCursor: null, searchedTo: null };
    before = last.id;
    lookedTo = last.createdAt;
    if (performance.now() > until) return { jobs: found, nextCursor: cursorAt(before), searchedTo: lookedTo };
    if (performance.now() - begun < FAST_MS) slice = Math.min(LARGEST_SLICE, slice * 2);
  }
}

async function lookUp(
  { db }: Pick<Context, 'db'>,
  { owner, queue, state, parent }: JobFilter,
  id: string,
): Promise<readonly JobSummary[]> {
  return await db.any(sql.type(jobSummaryRow)`
    select ${jobSummaryColumns} from jobs j where j.id = ${id}
      and ${owner === null ? sql.fragment`true` : sql.fragment`j.owner = ${owner}`}
      and ${state === undefined ? sql.fragment`true` : sql.fragment`j.state = ${state}`} and ${narrowing({ queue, parent })}`);
}

/** The next jobs with whether each fits, newest first; null when that took too long. */
async function look(
  { db }: Pick<Context, 'db'>,
  filter: JobFilter & { readonly text: string },
  before: string | null,
  slice: number,
) {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(sql.unsafe`select set_config('statement_timeout', ${String(STATEMENT_MS)}, true)`);
      return await tx.any(sql.type(row(Looked))`
        select ${jobSummaryColumns}, ${hasText(filter.text)} as fits
        from (${newestJobs(filter, before, slice)}) j order by j.id desc`);
    });
  } catch (error) {
    if (isTimeout(error)) return null;
    throw error;
  }
}

/** Writes the search for a text as a condition on a row `j`. */
export function hasText(text: string) {
  const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql.fragment`(
    j.id::text ilike ${like} or coalesce(j.idempotency_key ilike ${like}, false) or coalesce(j.error::text ilike ${like}, false)
      or j.payload_content is null and pg_column_size(j.payload) <= ${LARGEST_PAYLOAD} and j.payload::text ilike ${like})`;
}

function tooSlow(): AppError {
  return new AppError('unavailable', 'The database is too busy to look for a text now; try again in a few seconds.');
}
