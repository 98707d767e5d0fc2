import { randomUUIDv7 } from 'node:crypto';
import type { Payload } from '#queues/define.ts';
import type { publish, render } from '#queues/studio.ts';
import { admitWork } from '#src/access/quota.ts';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import { announceReleased, releaseWithApproval } from '#src/governance/approvals/release-job.ts';
import { type ApprovalRequest, requestApproval } from '#src/governance/approvals/request-approval.ts';
import { type ApprovalUse, assertUsable, invalid } from '#src/governance/approvals/use-approval.ts';
import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerName } from '#src/lib/principal.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { insertStudioJob } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';

/** Warns that a job is approved and does not run. */
export function heldWarning({ config }: Pick<Context, 'config'>, { state, held }: Job): string[] {
  if (state !== 'queued' || !held) return [];
  return [
    config.PROVIDER_CALLS === 'off'
      ? 'Provider calls are switched off (PROVIDER_CALLS): the job is approved and waits. A worker run releases it once they are on.'
      : 'The job is approved and held: a worker run releases it (POST /api/studio/v1/worker/run).',
  ];
}

type LiveQueue = typeof render | typeof publish;

export interface LiveWork<Q extends LiveQueue> {
  readonly queue: Q;
  readonly kind: 'render' | 'publish';
  readonly plan: string | null;
  /** Subject and effect of the approval, without the requester and its time to wait. */
  readonly approval: Pick<ApprovalRequest, 'subject' | 'effect' | 'areas'> & { readonly effectHash: string };
  readonly payload: (approvalId: string) => Payload<Q>;
  readonly idempotencyKey: string | undefined;
}

/**
 * Starts live work with the approval that is named: both or neither, and of two callers with one approval the other is
 * refused.
 *
 * @throws AppError `invalid_approval`, `quota_exceeded`, `idempotency_conflict`.
 */
export async function startApproved<Q extends LiveQueue>(
  context: Context,
  principal: Principal,
  work: LiveWork<Q>,
  approvalRef: string,
): Promise<Job> {
  const { owner } = principal;
  const held = context.config.PROVIDER_CALLS === 'off';
  const approval = await readApproval(context, approvalRef, owner);
  if (!approval) throw invalid(approvalRef, 'one that does not exist', 'unknown');
  const use = (job: string): ApprovalUse => ({
    id: approval.id,
    owner,
    kind: work.kind,
    effectHash: work.approval.effectHash,
    job,
  });
  const { idempotencyKey: key, queue } = work;
  const repeated = key !== undefined && (await findByKey(context, owner, queue.name, key)) !== null;
  // a repeated request finds its job, which has used the approval
  if (!repeated) assertUsable(approval, use(''));
  const { job, created } = await submitWaiting(context, principal, work, approval.id);
  if (job.state !== 'awaiting_approval') return job;
  try {
    const released = await context.db.transaction(async (tx) => {
      await insertStudioJob(tx, { id: job.id, owner, kind: work.kind, plan: work.plan, parent: null });
      return await releaseWithApproval(tx, use(job.id), { by: callerName(principal), held });
    });
    announceReleased(context, released);
    if (released.event) await publishOwnerEvents(context, owner, [released.event]);
    return released.job;
  } catch (error) {
    if (created && error instanceof AppError && error.code === 'invalid_approval')
      await cancelJob(context, job.id, systemOwner, 'its approval went to another job');
    throw error;
  }
}

/** Accepts live work that waits for a decision; the approval it waits for is its own. */
export async function startWaiting<Q extends LiveQueue>(
  context: Context,
  principal: Principal,
  work: LiveWork<Q>,
): Promise<Job> {
  const { owner } = principal;
  const { job } = await submitWaiting(context, principal, work, randomUUIDv7());
  if (job.state !== 'awaiting_approval' || job.approvalId === null) return job;
  const id = job.approvalId;
  const { effectHash: _hash, ...approval } = work.approval;
  const { events } = await context.db.transaction(async (tx) => {
    await insertStudioJob(tx, { id: job.id, owner, kind: work.kind, plan: work.plan, parent: null });
    return await requestApproval(tx, {
      ...approval,
      owner,
      kind: work.kind,
      requestedBy: callerName(principal),
      ttlS: context.config.APPROVAL_TTL_S,
      waiting: { id, job: job.id },
    });
  });
  await publishOwnerEvents(context, owner, events);
  return (await readJob(context, job.id)) ?? job;
}

async function submitWaiting<Q extends LiveQueue>(
  context: Context,
  principal: Principal,
  { queue, payload, idempotencyKey, approval }: LiveWork<Q>,
  approvalId: string,
): Promise<{ readonly job: Job; readonly created: boolean }> {
  await admitWork(context)(principal, queue.name);
  return await submit(context, queue, {
    principal,
    payload: payload(approvalId),
    approvalId,
    ...(idempotencyKey !== undefined && {
      idempotencyKey,
      // the approval's id is made anew each time; the effect is what was requested
      request: approval.effectHash,
    }),
  });
}
