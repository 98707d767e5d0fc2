import { sql } from 'slonik';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import type { Job } from '#src/jobs/model/job.ts';
import type { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { readAcceptedContract } from '#src/jobs/registry/contract-text.ts';
import { contractBody } from '#src/jobs/registry/queue-contract.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { type ChainEntry, chainEvents, genesisOf } from '#src/receipts/format/event-chain.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import { sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { putReceipt } from '#src/receipts/receipt-store.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { chainEffects, chainLedger } from './job-chains.ts';
import { jobSalt, partSalt } from './private-salts.ts';

/**
 * Seals the acts of a job that has ended, once: the contract it was accepted under, payload and result by salted hashes,
 * its ledger and its effects, the first thousand of each one by one, and the approval it used. Receipts are public: names of effects go in as salted hashes as well.
 *
 * @throws AppError `unavailable` while the signer or Postgres is away
 */
export async function sealJob(context: Context, job: Job): Promise<void> {
  const { signer } = await sealKeysOf(context)();
  const salt = jobSalt(context.config, job.id);
  const hidden = (name: string, value: unknown) => saltedHash(value, partSalt(salt, name));
  const contract = await contractOf(context, job);
  const ledger = await chainLedger(context, job.id, partSalt(salt, 'ledger'));
  const effects = await chainEffects(context, job.id, partSalt(salt, 'effects'));
  const mission = {
    id: job.id,
    goalSha256: hidden('payload', job.payload),
    planSha256: hidden('contract', contract),
    createdAt: job.createdAt.toISOString(),
  };
  const approval = job.approvalId === null ? null : await readApproval(context, job.approvalId, null);
  const genesis = genesisOf(mission);
  const entries: readonly ChainEntry[] = [
    { type: 'job.accepted', at: job.createdAt, data: { queue: job.queue, version: job.version } },
    ...(approval?.usedAt
      ? [
          {
            type: 'approval.used',
            at: approval.usedAt,
            // salted as well: what it was about holds the payload
            data: { approval: approval.id, effectSha256: hidden('effect', approval.effect) },
          },
        ]
      : []),
    // its end is the last entry
    ...ledger.listed
      .filter(({ n }) => n < job.events)
      .map(({ type, at, n }) => ({ type: `job.${type}`, at: new Date(at), data: { n } })),
    ...effects.listed.map(({ effect, state, requestHash, at }, index) => ({
      type: `effect.${state}`,
      at,
      data: {
        nameSha256: hidden(`effect ${index} name`, effect),
        requestSha256: hidden(`effect ${index} request`, requestHash),
      },
    })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const outcome = job.state === 'succeeded' || job.state === 'cancelled' ? job.state : 'failed';
  const end: ChainEntry = {
    type: `job.${outcome}`,
    at: job.finishedAt ?? new Date(),
    data: {
      resultSha256: outcome === 'succeeded' ? hidden('result', job.result ?? null) : null,
      code: job.error?.code ?? null,
      attempts: job.attempt,
      // over all of them, listed or not
      ledgerEvents: ledger.count,
      ledgerSha256: ledger.head,
      effects: effects.count,
      effectsSha256: effects.head,
    },
  };
  const events = chainEvents(genesis, [...entries, end]);
  const statement = makeStatement({
    receiptId: job.id,
    issuer: publicUrlOf(context.config),
    mission,
    events: { count: events.length, genesis, head: events.at(-1)?.hash ?? genesis },
    outcome,
    human: approval?.human ? [{ step: 'approval', ...approval.human }] : [],
    subjects: [],
    sealedAt: new Date().toISOString(),
  });
  const { anchor: _, ...receipt } = await sealReceipt(statement, events, signer);
  await context.db.transaction(async (tx) => {
    const mine = await tx.query(
      sql.unsafe`update jobs set receipt = 'sealed' where id = ${job.id} and receipt = 'wanted' and events = ${job.events}`,
    );
    // redriven meanwhile: it is sealed at its next end
    if (mine.rowCount > 0) await putReceipt(tx, { owner: job.owner, kind: 'execution', receipt });
  });
}

/** The contract that a job was accepted under; of a job of an earlier release, as it is now. */
async function contractOf(context: Context, { id, queue, version }: Job): Promise<ContractBody | null> {
  const accepted = await readAcceptedContract(context, id);
  if (accepted) return accepted.body;
  const contract = await registryOf(context).find(queue, version);
  return contract ? contractBody(contract) : null;
}
