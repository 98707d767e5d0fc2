import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { misfit } from '#queues/misfit.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import type { State } from '#src/jobs/model/states.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { conclude, type Failure, failed, released, succeeded } from '#src/jobs/run/conclude.ts';
import { openProgress } from '#src/jobs/run/progress.ts';
import { openSettlements, type Settlement } from '#src/jobs/run/settle-jobs.ts';
import type { ErrorCode } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Report, ReportAnswer, ReportOf } from './report-body.ts';
import { reportEffect } from './report-effect.ts';
import { reportStep, reportSubmit, reportSuspended } from './report-step.ts';
import type { Admit, Reported } from './reported.ts';

const Known = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  queue: Type.String(),
  version: Type.Integer(),
  state: Type.Unsafe<State>({}),
  attempt: Type.Integer(),
  failures: Type.Integer(),
  createdAt: Type.Unsafe<Date>({}),
  startedAt: Type.Unsafe<Date | null>({}),
  token: Type.Union([Type.String(), Type.Null()]),
});
type Known = Static<typeof Known>;

type Apply<T extends Report['type']> = (
  context: Context,
  reported: Reported,
  report: ReportOf<T>,
) => ReportAnswer | Promise<ReportAnswer>;

const accepted: ReportAnswer = { status: 'accepted' };
const stale: ReportAnswer = {
  status: 'stale',
  message: 'This attempt is over: the job was cancelled, has ended, or is with another worker. Stop it.',
};

const settlementsOf = perContext(openSettlements);

/** Each kind of report, and what it does. */
const applications: { readonly [T in Report['type']]: Apply<T> } = {
  progress: (_context, { queue, isHeld, emit }, { data, key = 'progress' }) => {
    if (!isHeld) return stale;
    const wrong = misfit(queue.progress, data);
    if (wrong) return refused('invalid_payload', `The progress of ${queue.name} does not fit`, wrong);
    emit(key, data);
    return accepted;
  },
  log: (_context, { log, isHeld }, { level, message, data }) => {
    if (!isHeld) return stale;
    log[level](message, data);
    return accepted;
  },
  effect_intended: reportEffect,
  effect_done: reportEffect,
  effect_failed: reportEffect,
  effect_unknown: reportEffect,
  step: reportStep,
  submit: reportSubmit,
  suspended: reportSuspended,
  succeeded: async (context, reported, { result }) => {
    const { queue } = reported;
    const wrong = misfit(queue.result, result);
    if (!wrong) return await settle(context, reported, succeeded(reported, result));
    const answer = refused('invalid_result', `The result of ${queue.name} does not fit its schema`, wrong);
    const error = { code: 'invalid_result', message: answer.message ?? '', details: { path: wrong.path } };
    const settled = await settle(context, reported, failed(context, reported, { error, retryable: false }, 1));
    return settled.status === 'accepted' ? answer : settled;
  },
  failed: async (context, reported, report) => {
    const settlement = failed(context, reported, failureOf(report), reported.queue.attempts);
    return await settle(context, reported, settlement);
  },
  released: async (context, reported) => await settle(context, reported, released(reported)),
};

/**
 * Applies what workers elsewhere report of their attempts: those of one job in their order, those of several jobs
 * beside each other. Each is answered for itself, in the order given: accepted; stale where the attempt is no longer the
 * reporter's; refused where it is wrong in itself. One that is repeated after a lost answer is answered as before.
 *
 * @param owner of the key that reports: jobs of other owners are as good as unknown
 * @param admit lets their children in
 */
export async function applyReports(
  context: Context,
  owner: string,
  reports: readonly Report[],
  admit: Admit,
): Promise<readonly ReportAnswer[]> {
  const known = await readKnown(context, reports);
  const answers: ReportAnswer[] = Array.from(reports, () => stale);
  const byJob = Map.groupBy(reports.entries(), ([, { job }]) => job.toLowerCase());
  await Promise.all(
    [...byJob].map(async ([id, own]) => {
      for (const [index, report] of own) {
        const job = known.get(id);
        answers[index] = job?.owner === owner ? await applyOne(context, job, report, admit) : stale;
      }
    }),
  );
  return answers;
}

async function applyOne(context: Context, job: Known, report: Report, admit: Admit): Promise<ReportAnswer> {
  const queue = await registryOf(context).find(job.queue, job.version);
  if (!queue) return stale;
  const { attempt, token } = report;
  const isNamed = job.attempt === attempt && job.token === token.toLowerCase();
  const reported: Reported = {
    queue,
    claimed: { ...job, attempt },
    token,
    log: openJobLog(context, job.id, attempt),
    isHeld: isNamed && job.state === 'running',
    startedAt: job.startedAt,
    admit,
    emit: openProgress(context, job.id),
  };
  if (isNamed) return await applyReport(context, reported, report);
  // what an attempt did outside before it lost its job has happened all the same
  if (report.type === 'effect_done' && attempt <= job.attempt) await applyReport(context, reported, report);
  return stale;
}

/**
 * Applies one report of an attempt whose claim the caller knows, and answers it as {@link applyReports} does.
 *
 * @throws what passes, and is the caller's to repeat: AppError `unavailable`, `storage_full`, errors of a lost connection
 */
export async function applyReport(context: Context, reported: Reported, report: Report): Promise<ReportAnswer> {
  const apply = applications[report.type] as Apply<Report['type']>;
  try {
    return await apply(context, reported, report);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'stale_claim') return stale;
    if (error.code === 'unavailable' || error.code === 'storage_full') throw error;
    return { status: 'refused', code: error.code, message: error.message };
  }
}

interface ReportedFailure {
  readonly error: { readonly code?: string; readonly message: string; readonly details?: unknown };
  readonly retryable?: boolean;
}

/** The failure that a report tells of. */
export function failureOf({ error, retryable = true }: ReportedFailure): Failure {
  const { code = 'job_failed', message, details } = error;
  return { error: { code, message, ...(details !== undefined && { details }) }, retryable };
}

async function settle(context: Context, reported: Reported, settlement: Settlement): Promise<ReportAnswer> {
  const { queue, startedAt, isHeld } = reported;
  if (!(await conclude(context, settlementsOf(context), reported, settlement))) return stale;
  if (isHeld && startedAt)
    context.metrics.proofline_job_run_seconds.observe(
      { queue: queue.name },
      Math.max(0, Date.now() - startedAt.getTime()) / 1_000,
    );
  return accepted;
}

function refused(code: ErrorCode, what: string, { path, message }: { path: string; message: string }): ReportAnswer {
  return { status: 'refused', code, message: `${what}: ${path || '/'} ${message}.`, path };
}

async function readKnown({ db }: Context, reports: readonly Report[]): Promise<ReadonlyMap<string, Known>> {
  const ids = [...new Set(reports.map(({ job }) => job.toLowerCase()))];
  const rows = await db.any(sql.type(row(Known))`
    select id, owner, queue, version, state, attempt, failures, created_at as "createdAt", started_at as "startedAt",
      claim_token as token
    from jobs where id = any(${sql.array(ids, 'uuid')})`);
  return new Map(rows.map((job) => [job.id, job]));
}
