import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Fees } from './fees.ts';
import type { Found } from './found-transaction.ts';
import type { BatchStatus, Finality } from './leaves.ts';

/** A transaction that was signed for a batch. */
export interface Attempt extends Fees {
  readonly hash: Hex;
  readonly nonce: number;
  readonly raw: Hex;
  readonly gas: bigint;
  readonly ageMs: number;
}

export interface Batch {
  readonly id: string;
  readonly status: BatchStatus;
  /** Null where it only fills a nonce. */
  readonly root: Hex | null;
  readonly chain: string | null;
  readonly address: Hex | null;
  /** Null before it is signed, except for a filler. */
  readonly nonce: number | null;
  readonly revision: number;
  /** Since it came into its status, about. */
  readonly ageMs: number;
  /** In the order in which they were signed. */
  readonly attempts: readonly Attempt[];
}

const Bytes = Type.Unsafe<Buffer>({});
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const batchRow = row(
  Type.Object({
    id: Type.String(),
    status: Type.Unsafe<BatchStatus>({}),
    root: nullable(Bytes),
    chain: nullable(Type.String()),
    address: nullable(Type.Unsafe<Hex>({ type: 'string' })),
    nonce: nullable(Type.Integer()),
    revision: Type.Integer(),
    ageMs: Type.Number(),
  }),
);
const attemptRow = row(
  Type.Object({
    hash: Bytes,
    nonce: Type.Integer(),
    raw: Bytes,
    gas: Type.String(),
    maxFee: Type.String(),
    priorityFee: Type.String(),
    ageMs: Type.Number(),
  }),
);

/** The batch with everything that was signed for it; null when there is none. */
export async function readBatch(db: CommonQueryMethods, id: string): Promise<Batch | null> {
  const batch = await db.maybeOne(sql.type(batchRow)`
    select id, status, root, chain, address, nonce, revision,
      (extract(epoch from clock_timestamp() - coalesce(included_at, signed_at, created_at)) * 1000)::float8 as "ageMs"
    from anchor_batches where id = ${id}`);
  if (!batch) return null;
  const attempts = await db.any(sql.type(attemptRow)`
    select hash, nonce, raw, gas::text as gas, max_fee::text as "maxFee", priority_fee::text as "priorityFee",
      (extract(epoch from clock_timestamp() - at) * 1000)::float8 as "ageMs"
    from anchor_attempts where batch_id = ${id} order by at`);
  return {
    ...batch,
    root: batch.root && prefixedHexOf(batch.root),
    attempts: attempts.map(({ hash, raw, gas, maxFee, priorityFee, ...rest }) => ({
      ...rest,
      hash: prefixedHexOf(hash),
      raw: prefixedHexOf(raw),
      gas: BigInt(gas),
      maxFee: BigInt(maxFee),
      priorityFee: BigInt(priorityFee),
    })),
  };
}

const idRow = row(Type.Object({ id: Type.String() }));

/** Changes the batch unless another process has changed it since it was read; answers whether it did. */
export async function changeBatch(
  tx: CommonQueryMethods,
  { id, revision }: Pick<Batch, 'id' | 'revision'>,
  set: ReturnType<typeof sql.fragment>,
): Promise<boolean> {
  const changed = await tx.maybeOneFirst(sql.type(idRow)`
    update anchor_batches set revision = revision + 1, ${set} where id = ${id} and revision = ${revision} returning id`);
  return changed !== null;
}

/** Sets when the batch is looked at next; changes nothing else of it. */
export async function postpone(db: CommonQueryMethods, id: string, ms: number): Promise<void> {
  await db.query(
    sql.unsafe`update anchor_batches set due_at = clock_timestamp() + ${ms} * interval '1 ms' where id = ${id}`,
  );
}

export type NewAttempt = Omit<Attempt, 'ageMs'> & {
  readonly chain: string;
  readonly address: Hex;
  readonly why: 'first' | 'bump' | 'nonce_taken';
};

/** Keeps what was signed, before anybody sends it. */
export async function keepAttempt(tx: CommonQueryMethods, batchId: string, attempt: NewAttempt): Promise<void> {
  await tx.query(sql.unsafe`
    insert into anchor_attempts (hash, batch_id, chain, address, nonce, raw, gas, max_fee, priority_fee, why, at)
    values (${bytes(attempt.hash)}, ${batchId}, ${attempt.chain}, ${attempt.address}, ${attempt.nonce}, ${bytes(attempt.raw)},
      ${String(attempt.gas)}::bigint, ${String(attempt.maxFee)}::numeric, ${String(attempt.priorityFee)}::numeric,
      ${attempt.why}, clock_timestamp())
    on conflict (hash) do nothing`);
}

/** Notes where the chain has the batch; answers whether that was written. */
export async function recordInclusion(
  tx: CommonQueryMethods,
  batch: Batch,
  status: Finality,
  { hash, blockNumber, blockHash, gasUsed, fee }: Found,
  blockTime: number,
): Promise<boolean> {
  const set = sql.fragment`status = ${status}, included_at = coalesce(included_at, clock_timestamp())`;
  if (!(await changeBatch(tx, batch, set))) return false;
  await leaveBlocks(tx, batch.id, hash);
  await tx.query(sql.unsafe`
    update anchor_attempts set block_number = ${blockNumber}, block_hash = ${bytes(blockHash)},
      block_time = to_timestamp(${blockTime}), gas_used = ${String(gasUsed)}::bigint, fee = ${String(fee)}::numeric
    where hash = ${bytes(hash)}`);
  return true;
}

/** Notes that the chain has the batch no more; answers whether that was written. */
export async function recordLoss(tx: CommonQueryMethods, batch: Batch): Promise<boolean> {
  const set = sql.fragment`status = 'signed', included_at = null, signed_at = clock_timestamp(), due_at = clock_timestamp()`;
  if (!(await changeBatch(tx, batch, set))) return false;
  await leaveBlocks(tx, batch.id, null);
  return true;
}

async function leaveBlocks(tx: CommonQueryMethods, batchId: string, butNot: Hex | null): Promise<void> {
  await tx.query(sql.unsafe`
    update anchor_attempts set block_number = null, block_hash = null, block_time = null, lost = lost + 1
    where batch_id = ${batchId} and block_number is not null and hash is distinct from ${butNot && bytes(butNot)}`);
}

const bytes = (hex: Hex) => sql.binary(Buffer.from(bytesOfHex(hex)));
