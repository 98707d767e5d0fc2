import { readApproval } from '#src/governance/approvals/approval-row.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { chainEvents, genesisOf } from '#src/receipts/format/event-chain.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import { sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
import { jobSalt, partSalt } from '#src/receipts/jobs/private-salts.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { putReceipt, readReceipt } from '#src/receipts/receipt-store.ts';
import { callsOf, madeBy, type ReceiptEvent } from '#src/studio/model/execution-events.ts';
import { deliveriesOf } from '#src/studio/packages/deliveries.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';

export interface Execution {
  readonly job: Pick<Job, 'id' | 'owner' | 'queue' | 'approvalId' | 'createdAt'>;
  /** Request and plan of the execution: private, sealed as salted hashes. */
  readonly goal: string;
  readonly plan: unknown;
  readonly outcome: 'succeeded' | 'failed' | 'cancelled';
  /** Code of the error it failed with. */
  readonly code?: string;
}

/**
 * Seals the acts of a live execution, whatever its outcome, once: its approval, the calls of providers with their cost,
 * and the assets by digest. An existing receipt is returned as it is.
 */
export async function sealExecution(context: Context, execution: Execution): Promise<Omit<Receipt, 'anchor'>> {
  const { job, outcome } = execution;
  const existing = await readReceipt(context, job.id);
  if (existing) return existing;
  const { signer } = await sealKeysOf(context)();
  const approval = job.approvalId === null ? null : await readApproval(context, job.approvalId, null);
  const [calls, made, deliveries] = await Promise.all([
    callsOf(context, job.id),
    madeBy(context, job.id),
    deliveriesOf(context, job.id),
  ]);
  const salt = jobSalt(context.config, job.id);
  const mission = {
    id: job.id,
    goalSha256: saltedHash(execution.goal, partSalt(salt, 'goal')),
    planSha256: saltedHash(execution.plan, partSalt(salt, 'plan')),
    createdAt: job.createdAt.toISOString(),
  };
  const now = new Date();
  const entries: readonly ReceiptEvent[] = [
    { type: 'execution.accepted', at: job.createdAt, data: { queue: job.queue } },
    ...(approval?.usedAt
      ? [
          {
            type: 'approval.used',
            at: approval.usedAt,
            data: { approval: approval.id, effectSha256: approval.effectHash },
          },
        ]
      : []),
    ...[
      ...calls,
      ...deliveries,
      ...made.map(({ createdAt, ...asset }) => ({ type: 'asset.made', at: createdAt, data: asset })),
    ].toSorted((a, b) => a.at.getTime() - b.at.getTime()),
    { type: `execution.${outcome}`, at: now, data: { code: execution.code ?? null } },
  ];
  const genesis = genesisOf(mission);
  const events = chainEvents(genesis, entries);
  const statement = makeStatement({
    receiptId: job.id,
    issuer: publicUrlOf(context.config),
    mission,
    events: { count: events.length, genesis, head: events.at(-1)?.hash ?? genesis },
    outcome,
    human: approval?.human ? [{ step: 'approval', ...approval.human }] : [],
    subjects: made.map(({ name, sha256 }) => ({ name: `assets/${name}`, digest: { sha256 } })),
    sealedAt: now.toISOString(),
  });
  const { anchor: _, ...receipt } = await sealReceipt(statement, events, signer);
  await context.db.transaction(async (tx) => await putReceipt(tx, { owner: job.owner, kind: 'execution', receipt }));
  return receipt;
}

/** Formats the salt that the owner needs to show the content of the salted hashes. */
export function saltText(context: Context, job: string): string {
  return hexOf(jobSalt(context.config, job));
}
