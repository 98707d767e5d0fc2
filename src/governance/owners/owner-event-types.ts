/** Types of events of an owner's stream. */
export const ownerEventTypes = [
  'brief.created',
  'plan.created',
  'approval.requested',
  'approval.granted',
  'approval.declined',
  'approval.used',
  'approval.expired',
  'job.awaiting_approval',
  'job.queued',
  'job.started',
  'job.retried',
  'job.succeeded',
  'job.failed',
  'job.cancelled',
  'asset.created',
  'spend.reserved',
  'spend.settled',
  'spend.released',
  'spend.unknown',
  'provider.setup_requested',
] as const;
export type OwnerEventType = (typeof ownerEventTypes)[number];
