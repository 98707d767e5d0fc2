import { misfit } from '#queues/misfit.ts';
import { tooLarge } from '#queues/too-large.ts';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import type { State } from '#src/jobs/model/states.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { conclude, failed, released, succeeded } from '#src/jobs/run/conclude.ts';
import { openCheckedProgress } from '#src/jobs/run/progress.ts';
import { openSettlements, type Settlement } from '#src/jobs/run/settle-jobs.ts';
import { plainArray } from '#src/lib/array-literal.ts';
import { AppError } from '#src/lib/errors.ts';
import type { InexactInItem } from '#src/lib/text/inexact-integer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { isDataError } from '#src/system/postgres/postgres-errors.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';
import { forgetHanded, type Known, recall } from './handed-out.ts';
import { isEnd, repeatedEnd } from './repeated-end.ts';
import type { Report, ReportAnswer, ReportOf } from './report-body.ts';
import { reportEffect } from './report-effect.ts';
import { reportRefusal } from './report-refusal.ts';
import { reportStep, reportSubmit, reportSuspended } from './report-step.ts';
import { type Admit, failureOf, misfitResult, type Reported, refused, staleAnswer } from './reported.ts';

type KnownRow = readonly [
  id: string,
  owner: string,
  queue: string,
  version: number,
  state: State,
  attempt: number,
  failures: number,
  createdAt: Date,
  startedAt: Date | null,
  token: string | null,
  worker: string | null,
];

/** One look-up a row: see the claim. */
const readReported: Statement = {
  name: 'read-reported-jobs',
  text: `
    select j.id, j.owner, j.queue, j.version, j.state, j.attempt, j.failures, j.created_at, j.started_at, j.claim_token, j.worker_id
    from unnest($1::uuid[]) as g (id) join jobs j on j.id = g.id`,
};

type Apply<T extends Report['type']> = (
  context: Context,
  reported: Reported,
  report: ReportOf<T>,
) => ReportAnswer | Promise<ReportAnswer>;

const accepted: ReportAnswer = { status: 'accepted' };

const settlementsOf = perContext(openSettlements);

/** Each kind of report, and what it does. */
const applications: { readonly [T in Report['type']]: Apply<T> } = {
  progress: (_context, { queue, isHeld, emit }, { data, key = 'progress' }) => {
    if (!isHeld) return staleAnswer;
    const wrong = emit(key, data);
    return wrong ? refused('invalid_payload', `The progress of ${queue.name} does not fit`, wrong) : accepted;
  },
  log: (_context, { log, isHeld }, { level, message, data }) => {
    if (!isHeld) return staleAnswer;
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
    const wrong = tooLarge(queue, 'result', result) ?? misfit(queue.result, result);
    if (!wrong) return await settle(context, reported, succeeded(reported, result));
    const { answer, error } = misfitResult(queue, wrong);
    const settled = await settle(context, reported, failed(context, reported, { error, retryable: false }, 1));
    return settled.status === 'accepted' ? answer : settled;
  },
  failed: async (context, reported, report) => {
    const settlement = failed(context, reported, failureOf(report), reported.queue.attempts);
    return await settle(context, reported, settlement);
  },
  released: async (context, reported) => await settle(context, reported, released(reported)),
};

/** The worker that reports, as its request names it, and the owner of its key. */
interface Reporter {
  readonly worker: string;
  readonly owner: string;
}

interface Said {
  readonly reports: readonly unknown[];
  /** Integers that reading their text has changed, by the place of the report. */
  readonly inexact: ReadonlyMap<number, InexactInItem>;
}

/**
 * Applies what workers elsewhere report of their attempts: those of one job in their order, those of several jobs
 * beside each other. Each is answered for itself, in the order given: accepted; stale where the attempt is no longer the
 * reporter's, or has ended before in the list; refused where it is wrong in itself, one that is no report at all among
 * them. One that is repeated after a lost answer is answered as before.
 *
 * @param reporter the worker, and the owner of its key: jobs of other owners are as good as unknown, and those that
 *   another worker has in hand are stale
 * @param admit lets their children in
 */
export async function applyReports(
  context: Context,
  reporter: Reporter,
  { reports, inexact }: Said,
  admit: Admit,
): Promise<readonly ReportAnswer[]> {
  const refusals = reports.map((report, index) => reportRefusal(report, inexact.get(index)));
  const answers = refusals.map((refusal): ReportAnswer => refusal ?? staleAnswer);
  const fitting = [...(reports as readonly Report[]).entries()].filter(([index]) => !refusals[index]);
  const byJob = Map.groupBy(fitting, ([, { job }]) => job.toLowerCase());
  const known = await readKnown(context, byJob);
  await Promise.all(
    [...byJob].map(async ([id, own]) => {
      const job = known.get(id);
      if (job?.owner !== reporter.owner) return;
      let isOver = false;
      for (const [index, report] of own) {
        const answer = await applyOne(context, reporter, { ...job, isOver }, report, admit);
        // the end of an earlier attempt may be said again
        isOver ||= report.attempt === job.attempt && hasEnded(report, answer);
        answers[index] = answer;
      }
    }),
  );
  return answers;
}

async function applyOne(
  context: Context,
  { worker }: Reporter,
  job: Known & { readonly isOver: boolean },
  report: Report,
  admit: Admit,
): Promise<ReportAnswer> {
  const queue = await registryOf(context).find(job.queue, job.version);
  if (!queue) return staleAnswer;
  const { attempt, token } = report;
  const isElsewhere = job.worker !== null && job.worker !== worker.toLowerCase();
  const isNamed = job.attempt === attempt && job.token === token.toLowerCase() && !isElsewhere;
  const reported: Reported = {
    queue,
    claimed: { ...job, attempt },
    token,
    log: openJobLog(context, job.id, attempt),
    isHeld: isNamed && job.state === 'running' && !job.isOver,
    startedAt: job.startedAt,
    admit,
    emit: openCheckedProgress(context, queue, job.id),
  };
  if (isEnd(report)) {
    const answer = reported.isHeld ? await applyReport(context, reported, report) : staleAnswer;
    return answer.status === 'stale'
      ? ((await repeatedEnd(context, { worker, job }, reported, report)) ?? answer)
      : answer;
  }
  if (isNamed) return await applyReport(context, reported, report);
  // what an attempt did outside before it lost its job has happened all the same
  if (report.type === 'effect_done' && attempt <= job.attempt) await applyReport(context, reported, report);
  return staleAnswer;
}

/** Tells whether a report has ended its attempt: a result that does not fit has, though it is refused. */
function hasEnded(report: Report, { status, code }: ReportAnswer): boolean {
  return isEnd(report) && (status === 'accepted' || code === 'invalid_result');
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
    // one that cannot be stored is refused alone: those around it have been applied, or will be
    if (isDataError(error)) return refused('invalid_request', 'The report cannot be stored', unstorable);
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'stale_claim') return staleAnswer;
    if (error.code === 'unavailable' || error.code === 'storage_full') throw error;
    return { status: 'refused', code: error.code, message: error.message };
  }
}

const unstorable = { path: '', message: 'holds text with \\u0000 or a lone surrogate' };

async function settle(context: Context, reported: Reported, settlement: Settlement): Promise<ReportAnswer> {
  const { queue, startedAt, isHeld, claimed } = reported;
  forgetHanded(context, claimed.id);
  if (!(await conclude(context, settlementsOf(context), reported, settlement))) return staleAnswer;
  if (isHeld && startedAt)
    context.metrics.proofline_job_run_seconds.observe(
      { queue: queue.name },
      Math.max(0, Date.now() - startedAt.getTime()) / 1_000,
    );
  return accepted;
}

/** The jobs that are reported of: as they were handed out where that is enough, else as they are. */
async function readKnown(
  context: Context,
  byJob: ReadonlyMap<string, readonly (readonly [index: number, report: Report])[]>,
): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>();
  const others: string[] = [];
  for (const [id, own] of byJob) {
    const reports = own.map(([, report]) => report);
    const job = recall(context, id, reports);
    if (job) known.set(id, job);
    else others.push(id);
  }
  const rows = others.length === 0 ? [] : await openStatements(context)<KnownRow>(readReported, [plainArray(others)]);
  for (const [id, owner, queue, version, state, attempt, failures, createdAt, startedAt, token, worker] of rows)
    known.set(id, { id, owner, queue, version, state, attempt, failures, createdAt, startedAt, token, worker });
  return known;
}
