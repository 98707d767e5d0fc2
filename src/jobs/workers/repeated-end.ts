import { isDeepStrictEqual } from 'node:util';
import { misfit } from '#queues/misfit.ts';
import { tooLarge } from '#queues/too-large.ts';
import { readContent } from '#src/jobs/contents/content.ts';
import type { ContentRef } from '#src/jobs/model/content-ref.ts';
import { unstorableAt } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import type { Known } from './handed-out.ts';
import type { Report, ReportAnswer, ReportOf } from './report-body.ts';
import { failureOf, misfitResult, type Reported } from './reported.ts';

/** A report that ends its attempt. */
export type EndReport = ReportOf<'succeeded' | 'failed' | 'released' | 'suspended'>;

const ends: ReadonlySet<Report['type']> = new Set<EndReport['type']>(['succeeded', 'failed', 'released', 'suspended']);

export function isEnd(report: Report): report is EndReport {
  return ends.has(report.type);
}

/** The end of an attempt as the ledger has it, and what of it lies elsewhere. */
interface Kept {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly result: unknown;
  readonly content: ContentRef | null;
  readonly failures: number;
  readonly after: number | null;
}

type Row = readonly [
  worker: string,
  type: string,
  data: Readonly<Record<string, unknown>>,
  at: Date,
  result: unknown,
  content: ContentRef | null,
  failures: number,
  after: number | null,
];

/** Finds the first thing that ended an attempt. */
export const readEnd: Statement = {
  name: 'read-end-of-attempt',
  text: `
    select s.data->>'worker', e.type, e.data, e.at, j.result, j.result_content, j.failures,
      coalesce((select w.after from waits w where w.job = j.id and w.attempt = $2::int4), (
        select k.after from steps k where k.job = j.id and k.name = e.data->'on'->>'name'))
    from jobs j cross join lateral (
      select e.n, e.data from events e
      where e.job = j.id and e.type = 'started' and e.data->>'attempt' = $2::int4::text order by e.n desc limit 1
    ) s cross join lateral (
      select e.type, e.data, e.at from events e
      where e.job = j.id and e.n > s.n
        and e.type in ('succeeded', 'failed', 'retrying', 'released', 'waiting', 'cancelled', 'started')
      order by e.n limit 1
    ) e
    where j.id = $1::uuid`,
};

/**
 * The answer of an end that has been reported before, word for word, by the claim that it ended: its answer was lost.
 * Null for any other: what an attempt ended with stays. Nothing is changed by it.
 *
 * Once the job has been claimed again its row has another token; then the worker that the ledger names is the proof.
 */
export async function repeatedEnd(
  context: Context,
  { worker, job }: { readonly worker: string; readonly job: Known },
  reported: Pick<Reported, 'queue'>,
  report: EndReport,
): Promise<ReportAnswer | null> {
  const { attempt, token } = report;
  if (attempt > job.attempt) return null;
  const [row] = await openStatements(context)<Row>(readEnd, [job.id, attempt]);
  if (!row) return null;
  const [by, type, data, at, result, content, failures, after] = row;
  const isSameClaim = attempt === job.attempt ? token.toLowerCase() === job.token : by === worker.toLowerCase();
  if (!isSameClaim) return null;
  const kept: Kept = { type, data, at, result, content, failures, after };
  return await sameEnds[report.type](context, kept, report as never, reported);
}

type Same<T extends EndReport['type']> = (
  context: Context,
  kept: Kept,
  report: ReportOf<T>,
  reported: Pick<Reported, 'queue'>,
) => ReportAnswer | null | Promise<ReportAnswer | null>;

const acceptedIf = (holds: boolean): ReportAnswer | null => (holds ? { status: 'accepted' } : null);

/** Compares each kind of end with what was kept. */
const sameEnds: { readonly [T in EndReport['type']]: Same<T> } = {
  succeeded: async (context, { type, data, result, content }, report, { queue }) => {
    const wrong = tooLarge(queue, 'result', report.result) ?? misfit(queue.result, report.result);
    if (wrong) {
      const { answer, error } = misfitResult(queue, wrong);
      return type === 'failed' && isSame(data['error'], error) ? answer : null;
    }
    const isUnstorable = unstorableAt(report.result) !== null;
    if (isUnstorable) return acceptedIf(type === 'failed' && codeOf(data['error']) === 'invalid_result');
    return acceptedIf(
      type === 'succeeded' && isSame(content ? await contentOf(context, content) : result, report.result),
    );
  },
  failed: (_context, { type, data, failures }, report, { queue }) => {
    const { error, retryable } = failureOf(report);
    // of the last failure that its contract allows it is not kept whether another attempt would have helped
    const isLast = type === 'failed' && failures >= queue.attempts;
    const isSameKind = isLast || type === (retryable ? 'retrying' : 'failed');
    return acceptedIf(isSameKind && isSame(data['error'], error));
  },
  released: (_context, { type, data }) => acceptedIf(type === 'released' && data['reason'] === 'drain'),
  suspended: (_context, { type, data, at, after }, report) =>
    acceptedIf(type === 'waiting' && (after ?? report.after) === report.after && isSameWait(data['on'], at, report.on)),
};

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** The result that lies beside its row; undefined where the storage has lost it. @throws AppError `unavailable` */
async function contentOf(context: Context, content: ContentRef): Promise<unknown> {
  return await readContent(context, content, 'result of a repeated report').catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'content_lost') return undefined;
    throw error;
  });
}

/** Compares JSON with what Postgres has kept of it. */
function isSame(kept: unknown, said: unknown): boolean {
  return isDeepStrictEqual(kept ?? null, JSON.parse(JSON.stringify(said ?? null)));
}

interface KeptWait {
  readonly kind: string;
  readonly name: string;
  readonly child?: string;
  readonly until?: string;
}

function isSameWait(kept: unknown, at: Date, said: ReportOf<'suspended'>['on']): boolean {
  const { kind, name, child, until } = kept as KeptWait;
  if (kind !== said.kind || name !== said.name) return false;
  if (said.kind === 'result') return child === said.child.toLowerCase();
  const wakeMs = until === undefined ? null : Date.parse(until);
  if (said.kind === 'sleep') return wakeMs === Date.parse(said.until);
  if (said.timeout_ms === undefined || wakeMs === null) return said.timeout_ms === undefined && wakeMs === null;
  // the ledger has whole milliseconds of both
  return Math.abs(wakeMs - at.getTime() - said.timeout_ms) <= 1;
}
