import type { Approval } from '#src/governance/approvals/approval-row.ts';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import type { ErrorReason } from '#src/lib/error-reasons.ts';
import { AppError } from '#src/lib/errors.ts';
import { channelAddress, type PublishEffect } from '#src/studio/model/publish-effect.ts';
import type { Context } from '#src/system/context.ts';

export interface Approved {
  readonly approval: Approval & { readonly usedAt: Date };
  readonly effect: PublishEffect;
}

/**
 * Reads the effect of the approval that a publication's job has used: what it may do.
 *
 * @throws AppError `invalid_approval` where the job has used none; `state_conflict` where the settings would now send
 *   a package elsewhere than was approved.
 */
export async function approvedEffect(
  context: Context,
  job: { readonly id: string; readonly owner: string },
  approvalId: string,
): Promise<Approved> {
  const approval = await readApproval(context, approvalId, job.owner);
  if (approval?.state !== 'used' || approval.job !== job.id || approval.kind !== 'publish' || !approval.usedAt) {
    throw new AppError(
      'invalid_approval',
      `expected an approval to publish that this job has used, got ${approval ? `one that is ${approval.state}` : 'none'}.`,
      { approval: approvalId, reason: reasonOf(approval, job.id) },
    );
  }
  const effect = approval.effect as unknown as PublishEffect;
  for (const channel of effect.channels) assertSameAddress(context.config, effect, channel);
  return { approval: { ...approval, usedAt: approval.usedAt }, effect };
}

function reasonOf(approval: Approval | null, job: string): ErrorReason<'invalid_approval'> {
  if (approval === null) return 'unknown';
  if (approval.kind !== 'publish') return 'other_kind';
  if (approval.state === 'used') return approval.job === job ? 'used' : 'other_job';
  return approval.state === 'granted' ? 'unused' : approval.state;
}

/** Checks that the origins are the ones that were approved. @throws AppError `state_conflict` */
export function assertSameAddress(
  config: Parameters<typeof channelAddress>[0],
  { deliveredTo }: Pick<PublishEffect, 'deliveredTo'>,
  channel: string,
): void {
  const approved = deliveredTo[channel] ?? null;
  const now = channelAddress(config, channel)?.origin ?? null;
  if (now === approved) return;
  throw new AppError(
    'state_conflict',
    `expected the package of ${channel} to go where it was approved to go (${shown(approved)}), got ${shown(now)} from CHANNEL_WEBHOOKS, which has changed since; nothing was sent. Publish again for a new approval.`,
    { channel, approved, configured: now },
  );
}

const shown = (origin: string | null): string => origin ?? 'nowhere';
