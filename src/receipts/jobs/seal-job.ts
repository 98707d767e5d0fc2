import { sql } from 'slonik';
import Type from 'typebox';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { contractBody } from '#src/jobs/registry/queue-contract.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { appendEvent, genesisOf } from '#src/receipts/format/event-chain.ts';
import type { MissionEvent } from '#src/receipts/format/receipt-schema.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import { sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { putReceipt } from '#src/receipts/receipt-store.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { jobSalt, partSalt } from './private-salts.ts';

/** Events of a job's ledger that its receipt lists one by one; what is more is counted. */
const MOST_EVENTS = 1_000;
/** Effects of a job that its receipt lists. */
const MOST_EFFECTS = 1_000;

interface Entry {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

const effectRow = row(
  Type.Object({
    effect: Type.String(),
    state: Type.String(),
    requestHash: Type.String(),
    at: Type.Unsafe<Date>({}),
  }),
);

/**
 * Seals the acts of a job that has ended, once: contract, payload and result by salted hashes, what its ledger has, its
 * effects and the approval it used. Receipts are public: names of effects go in as salted hashes as well.
 *
 * @throws AppError `unavailable` while the signer or Postgres is away
 */
export async function sealJob(context: Context, job: Job): Promise<void> {
  const { signer } = await sealKeysOf(context)();
  const salt = jobSalt(context.config, job.id);
  const hidden = (name: string, value: unknown) => saltedHash(value, partSalt(salt, name));
  const contract = await registryOf(context).find(job.queue, job.version);
  const mission = {
    id: job.id,
    goalSha256: hidden('payload', job.payload),
    planSha256: hidden('contract', contract ? contractBody(contract) : null),
    createdAt: job.createdAt.toISOString(),
  };
  const approval = job.approvalId === null ? null : await readApproval(context, job.approvalId, null);
  const genesis = genesisOf(mission);
  const entries: readonly Entry[] = [
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
    ...(await ledgerOf(context, job)),
    ...(await effectsOf(context, job, hidden)),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const outcome = job.state === 'succeeded' || job.state === 'cancelled' ? job.state : 'failed';
  const end: Entry = {
    type: `job.${outcome}`,
    at: job.finishedAt ?? new Date(),
    data: {
      resultSha256: outcome === 'succeeded' ? hidden('result', job.result ?? null) : null,
      code: job.error?.code ?? null,
      attempts: job.attempt,
    },
  };
  const events = chained(genesis, [...entries, end]);
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

async function ledgerOf(context: Context, job: Job): Promise<Entry[]> {
  // its end is the last entry
  const told = await readEvents(context, job.id, 0, MOST_EVENTS);
  const listed = told.filter(({ n }) => n < job.events);
  const rest = job.events - 1 - listed.length;
  return [
    ...listed.map(({ type, at, n }) => ({ type: `job.${type}`, at: new Date(at), data: { n } })),
    ...(rest > 0 ? [{ type: 'job.events', at: job.finishedAt ?? new Date(), data: { unlisted: rest } }] : []),
  ];
}

async function effectsOf(
  { db }: Context,
  job: Job,
  hidden: (name: string, value: unknown) => string,
): Promise<Entry[]> {
  const effects = await db.any(sql.type(effectRow)`
    select effect, state, encode(request_hash, 'hex') as "requestHash", coalesce(decided_at, intended_at) as at
    from effects where job = ${job.id} order by intended_at, effect limit ${MOST_EFFECTS}`);
  return effects.map(({ effect, state, requestHash, at }, index) => ({
    type: `effect.${state}`,
    at,
    data: {
      nameSha256: hidden(`effect ${index} name`, effect),
      requestSha256: hidden(`effect ${index} request`, requestHash),
    },
  }));
}

function chained(genesis: string, entries: readonly Entry[]): MissionEvent[] {
  const events: MissionEvent[] = [];
  for (const { type, at, data } of entries) {
    const prev = events.at(-1)?.hash ?? genesis;
    events.push(appendEvent({ seq: events.length, prev }, type, at.toISOString(), data));
  }
  return events;
}
