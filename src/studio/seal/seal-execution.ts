import { hkdfSync } from 'node:crypto';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { appendEvent, genesisOf } from '#src/receipts/format/event-chain.ts';
import type { MissionEvent, Receipt } from '#src/receipts/format/receipt-schema.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import { sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
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

/** Derives the salt of a job's private parts: the same at every try, and not guessable. 32 bytes. */
export function executionSalt({ KEY_PEPPER }: Context['config'], job: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', KEY_PEPPER, job, 'platform/execution-salt/v1', 32));
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
  const salt = executionSalt(context.config, job.id);
  const mission = {
    id: job.id,
    goalSha256: saltedHash(execution.goal, part(salt, 'goal')),
    planSha256: saltedHash(execution.plan, part(salt, 'plan')),
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
  const events = chained(genesis, entries);
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

/** Each private part has a salt of its own, so that equal parts do not show as equal. */
function part(salt: Uint8Array, name: 'goal' | 'plan'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', salt, new Uint8Array(), `platform/salt/v1 ${name}`, 32));
}

function chained(genesis: string, entries: readonly ReceiptEvent[]): MissionEvent[] {
  const events: MissionEvent[] = [];
  for (const { type, at, data } of entries) {
    const prev = events.at(-1)?.hash ?? genesis;
    events.push(appendEvent({ seq: events.length, prev }, type, at.toISOString(), data));
  }
  return events;
}

/** Formats the salt that the owner needs to show the content of the salted hashes. */
export function saltText(context: Context, job: string): string {
  return hexOf(executionSalt(context.config, job));
}
