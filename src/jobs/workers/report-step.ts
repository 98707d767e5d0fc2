import { delayFault, delayMs } from '#queues/delay.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import type { Fence, Stale } from '#src/jobs/steps/fence.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { submitChild } from '#src/jobs/steps/submit-child.ts';
import { suspend, type WaitFor } from '#src/jobs/steps/suspend.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import type { ReportAnswer, ReportOf, WaitBody } from './report-body.ts';
import { type Reported, staleAnswer } from './reported.ts';

/** Keeps the value of a step; one that is there already keeps its first value, which is the answer. */
export async function reportStep(
  context: Context,
  reported: Reported,
  { name, after, value }: ReportOf<'step'>,
): Promise<ReportAnswer> {
  const kept = await keepStep(context, fenceOf(reported), { name, kind: 'step', after, value });
  return isStale(kept) ? staleAnswer : { status: 'accepted', value: kept.value };
}

/** Submits a child to one of the owner's queues, once by its name. @throws AppError `not_found` for another queue, `quota_exceeded` */
export async function reportSubmit(
  context: Context,
  reported: Reported,
  report: ReportOf<'submit'>,
): Promise<ReportAnswer> {
  const { name, after, queue, payload, version, priority, metadata, unique } = report;
  const fault = delayFault(report);
  if (fault !== null)
    return { status: 'refused', code: 'invalid_request', message: `report.delay: expected ${fault}.`, path: '/delay' };
  const wait = delayMs(report);
  await assertOwnQueue(context, reported.claimed, queue, version);
  await reported.admit(reported.claimed, queue);
  const submitted = await submitChild(context, fenceOf(reported), {
    name,
    after,
    queue,
    payload,
    ...(version !== undefined && { version }),
    ...(wait !== undefined && { runAt: new Date((await databaseNow(context)()).getTime() + wait) }),
    ...(priority !== undefined && { priority }),
    ...(metadata !== undefined && { metadata }),
    ...(unique !== undefined && { unique }),
  });
  return isStale(submitted) ? staleAnswer : { status: 'accepted', child: submitted.child };
}

/** Ends the attempt, and lets the job wait for a time, a signal or a child's end. */
export async function reportSuspended(
  context: Context,
  reported: Reported,
  { on, after }: ReportOf<'suspended'>,
): Promise<ReportAnswer> {
  const suspended = await suspend(context, fenceOf(reported), { on: waitOf(on), after });
  return isStale(suspended) ? staleAnswer : { status: 'accepted' };
}

function waitOf(on: WaitBody): WaitFor {
  if (on.kind === 'sleep') return { kind: 'sleep', name: on.name, until: new Date(on.until) };
  if (on.kind === 'result') return { kind: 'result', name: on.name, child: on.child };
  return { kind: 'signal', name: on.name, ...(on.timeout_ms !== undefined && { timeoutMs: on.timeout_ms }) };
}

function fenceOf({ claimed: { id, attempt }, token }: Reported): Fence {
  return { job: id, attempt, token };
}

function isStale(answer: { readonly status: string }): answer is Stale {
  return answer.status === 'stale';
}
