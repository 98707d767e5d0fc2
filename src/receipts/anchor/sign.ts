import { keccak_256 } from '@noble/hashes/sha3.js';
import { type CommonQueryMethods, sql } from 'slonik';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import type { Context } from '#src/system/context.ts';
import type { EvmChain } from '#src/system/outside/evm-chain.ts';
import { addressOf, ensureAccount, lockNonce } from './accounts.ts';
import { type Attempt, type Batch, changeBatch, keepAttempt, type NewAttempt } from './batch-store.ts';
import { bumpedFees, type Fees, marketFees, replaces } from './fees.ts';

const GWEI = 1_000_000_000n;

/** Present cost of a transaction. */
export interface Price extends Fees {
  readonly gas: bigint;
}

/**
 * Asks the chain for the price of a transaction with this calldata now: a fifth more gas than it estimates, since forks
 * raise prices.
 */
export async function askPrice({ config }: Context, chain: EvmChain, address: Hex, data: Hex): Promise<Price> {
  const [block, priorityFee, gas] = await Promise.all([
    chain.block('latest'),
    // not every endpoint gives this advice
    chain.priorityFee().catch(() => GWEI),
    chain.estimate(address, data),
  ]);
  const most = BigInt(config.ANCHOR_MAX_FEE_GWEI) * GWEI;
  return { ...marketFees(block?.baseFee ?? 0n, priorityFee, most), gas: (gas * 6n + 4n) / 5n };
}

/**
 * Gives the batch the account's next nonce and a signed transaction, all of it kept when this resolves; nothing is
 * sent. Null when another process changed the batch meanwhile. `used` is how many transactions the chain counts: those
 * nonces are gone, whichever transactions had them.
 */
export async function signBatch(
  context: Context,
  chain: EvmChain,
  signer: PrivateKeyAccount,
  { batch, why, used }: { readonly batch: Batch; readonly why: 'first' | 'nonce_taken'; readonly used: number },
): Promise<NewAttempt | null> {
  const address = addressOf(signer);
  await ensureAccount(context.db, chain, address);
  const price = await askPrice(context, chain, address, batch.root ?? '0x');
  return await context.db.transaction(async (tx) => {
    const next = await lockNonce(tx, chain.id, address);
    const isFiller = why === 'first' && batch.nonce !== null;
    const nonce = isFiller ? (batch.nonce ?? next) : Math.max(next, used);
    const set = sql.fragment`status = 'signed', chain = ${chain.id}, address = ${address}, nonce = ${nonce}, signed_at = clock_timestamp()`;
    if (!(await changeBatch(tx, batch, set))) return null;
    if (!isFiller) await moveNonce(tx, chain.id, address, nonce + 1);
    const attempt = await makeAttempt(chain, signer, batch, { ...price, nonce, why });
    await keepAttempt(tx, batch.id, attempt);
    return attempt;
  });
}

async function moveNonce(tx: CommonQueryMethods, chain: string, address: Hex, next: number): Promise<void> {
  await tx.query(
    sql.unsafe`update anchor_accounts set next_nonce = ${next} where chain = ${chain} and address = ${address}`,
  );
}

/**
 * Signs the batch again for the same nonce with higher fees, kept when this resolves. Null when the fees are at their
 * bound, the account cannot pay them, another account signed it, or another process changed the batch meanwhile.
 */
export async function bumpBatch(
  context: Context,
  chain: EvmChain,
  signer: PrivateKeyAccount,
  batch: Batch,
  newest: Attempt,
): Promise<NewAttempt | null> {
  const address = addressOf(signer);
  if (address !== batch.address) return null;
  const [price, balance] = await Promise.all([
    askPrice(context, chain, address, batch.root ?? '0x'),
    chain.balance(address),
  ]);
  const fees = bumpedFees(newest, price, BigInt(context.config.ANCHOR_MAX_FEE_GWEI) * GWEI);
  if (!replaces(fees, newest) || balance < fees.maxFee * price.gas) return null;
  const attempt = await makeAttempt(chain, signer, batch, {
    ...fees,
    gas: price.gas,
    nonce: newest.nonce,
    why: 'bump',
  });
  return await context.db.transaction(async (tx) => {
    if (!(await changeBatch(tx, batch, sql.fragment`status = 'signed'`))) return null;
    await keepAttempt(tx, batch.id, attempt);
    return attempt;
  });
}

/** The account sends its own batch's root to itself: 32 bytes of calldata and nothing else. */
async function makeAttempt(
  chain: EvmChain,
  signer: PrivateKeyAccount,
  batch: Batch,
  { gas, maxFee, priorityFee, nonce, why }: Price & Pick<NewAttempt, 'nonce' | 'why'>,
): Promise<NewAttempt> {
  const raw = await signer.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce,
    to: signer.address,
    value: 0n,
    data: batch.root ?? '0x',
    gas,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: priorityFee,
  });
  const address = addressOf(signer);
  return {
    hash: prefixedHexOf(keccak_256(bytesOfHex(raw))),
    raw,
    chain: chain.id,
    address,
    nonce,
    gas,
    maxFee,
    priorityFee,
    why,
  };
}
