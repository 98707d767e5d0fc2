import { sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { type EvmChain, openChain } from '#src/system/outside/evm-chain.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { addressOf, openSigner } from './accounts.ts';
import { type Batch, changeBatch, postpone, readBatch, recordInclusion, recordLoss } from './batch-store.ts';
import { decide, type Move } from './decide.ts';
import { readFacts } from './facts.ts';
import { anchoredChannel, type BatchStatus, isAtLeast, type Leaf } from './leaves.ts';
import { bumpBatch, signBatch } from './sign.ts';

export interface Ticked {
  readonly status: BatchStatus;
  /** The transaction that the chain has, or the newest that was signed. */
  readonly transaction: Hex | null;
  readonly did: Move['do'];
}

/**
 * Looks at one batch on the chain and does the next thing about it: short, and any number of times, by any number of
 * processes. What it signs is kept before it is sent, so that it may end anywhere.
 *
 * @throws AppError `not_found`; `unavailable` while the chain does not answer; `invalid_configuration`.
 */
export async function tickBatch(context: Context, id: string): Promise<Ticked> {
  const batch = await readBatch(context.db, id);
  if (!batch) throw new AppError('not_found', `No batch of anchors has the id ${id}.`, { batch: id });
  const newest = batch.attempts.at(-1);
  const rest = { status: batch.status, transaction: newest?.hash ?? null, did: 'wait' } as const;
  if (batch.status === 'finalized' || batch.status === 'void') return rest;
  const chain = openChain(context);
  if (!chain) throw new AppError('unavailable', 'ANCHOR_RPC_URL names no chain: receipts stay pending.');
  // of a chain that the settings named before: it waits until they do again
  if (batch.chain !== null && batch.chain !== chain.id) return rest;
  const facts = await readFacts(chain, batch.address ?? addressOf(await openSigner(context)), batch);
  const move = decide(batch, facts, context.config.ANCHOR_BUMP_MS);
  const ticked = await make(context, chain, batch, move, facts.nonce);
  context.metrics.proofline_anchor_moves_total.inc({ move: ticked.did });
  await postpone(context.db, id, ticked.did === 'lose' ? 0 : pauseMs(batch, ticked, context.config.ANCHOR_POLL_MS));
  return ticked;
}

async function make(context: Context, chain: EvmChain, batch: Batch, move: Move, used: number): Promise<Ticked> {
  const newest = batch.attempts.at(-1);
  const transaction = newest?.hash ?? null;
  const rest: Ticked = { status: batch.status, transaction, did: 'wait' };
  switch (move.do) {
    case 'wait':
      break;
    case 'sign': {
      const attempt = await signBatch(context, chain, await openSigner(context), { batch, why: move.why, used });
      if (!attempt) return rest;
      await send(context, chain, attempt);
      return { status: 'signed', transaction: attempt.hash, did: 'sign' };
    }
    case 'bump': {
      const bumped = newest && (await bumpBatch(context, chain, await openSigner(context), batch, newest));
      const attempt = bumped ?? newest;
      if (attempt) await send(context, chain, attempt);
      return { status: 'signed', transaction: attempt?.hash ?? null, did: bumped ? 'bump' : 'send' };
    }
    case 'send':
      if (newest) await send(context, chain, newest);
      return { ...rest, did: 'send' };
    case 'record':
      return await record(context, chain, batch, move);
    case 'lose':
      context.log.warn({ batch: batch.id }, 'the chain has a batch of anchors no more; its transaction is sent again');
      await context.db.transaction((tx) => recordLoss(tx, batch));
      return { status: 'signed', transaction, did: 'lose' };
    case 'void':
      await changeBatch(context.db, batch, sql.fragment`status = 'void'`);
      return { status: 'void', transaction, did: 'void' };
  }
  return rest;
}

/** Whatever the node answers decides nothing: the next look at the chain does. */
async function send(
  { log }: Context,
  chain: EvmChain,
  { raw, hash }: { readonly raw: Hex; readonly hash: Hex },
): Promise<void> {
  await chain
    .send(raw)
    .catch((error: unknown) => log.debug({ err: error, transaction: hash }, 'a node refused an anchor'));
}

const leafRow = row(Type.Object({ leaf: Type.Unsafe<Leaf>({ type: 'string' }), waitedMs: Type.Number() }));

async function record(
  context: Context,
  chain: EvmChain,
  batch: Batch,
  { status, found }: Extract<Move, { do: 'record' }>,
): Promise<Ticked> {
  const { db, config, metrics } = context;
  const ticked = { status, transaction: found.hash, did: 'record' } as const;
  const block = await chain.blockByHash(found.blockHash);
  // gone again between two questions
  if (!block) return { ...ticked, status: batch.status, did: 'wait' };
  const written = await db.transaction((tx) => recordInclusion(tx, batch, status, found, block.time));
  if (!written) return ticked;
  const leaves = await db.any(sql.type(leafRow)`
    select leaf, (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "waitedMs"
    from anchor_leaves where batch_id = ${batch.id}`);
  if (!isAtLeast(batch.status, 'included')) {
    metrics.proofline_anchor_gas_total.inc({ chain: chain.id }, Number(found.gasUsed));
    metrics.proofline_anchor_fees_wei_total.inc({ chain: chain.id }, Number(found.fee));
    for (const { waitedMs } of leaves) metrics.proofline_anchor_inclusion_seconds.observe(waitedMs / 1_000);
  }
  if (isAtLeast(status, config.ANCHOR_CONFIRM) && !isAtLeast(batch.status, config.ANCHOR_CONFIRM)) {
    await Promise.all(leaves.map(({ leaf }) => tell(context, leaf, found.hash)));
  }
  return ticked;
}

/** Publishes an anchor to requests that wait; one that misses it finds the same in the table. */
async function tell({ redis, config, log }: Context, leaf: Leaf, transaction: Hex): Promise<void> {
  await redis
    .publish(anchoredChannel(config, leaf), JSON.stringify({ leaf, transaction }))
    .catch((error: unknown) => log.debug({ err: error, leaf }, 'an anchor was not published'));
}

/** The longer it takes, the less often it is looked at: at first every `pollMs`, later after a quarter of its age. */
function pauseMs(batch: Batch, { status, did }: Ticked, pollMs: number): number {
  if (status !== batch.status || (did !== 'wait' && did !== 'record')) return pollMs;
  const most = status === 'signed' ? 15 : 60;
  return Math.min(Math.max(batch.ageMs / 4, pollMs), most * pollMs);
}
