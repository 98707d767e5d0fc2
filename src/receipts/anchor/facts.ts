import type { Hex } from 'viem';
import type { EvmChain } from '#src/system/outside/evm-chain.ts';
import type { Batch } from './batch-store.ts';
import type { Facts } from './decide.ts';

/** As deep as a chain without a tag for final blocks is taken to be settled. */
const DEEP = 64;

/**
 * Reads what the chain says of the batch. The account's count is read before the batch's own transactions: one that is
 * included in between is then found, instead of being taken for another sender's.
 *
 * @throws AppError `unavailable`, or `invalid_configuration` when the endpoint is of another chain.
 */
export async function readFacts(chain: EvmChain, address: Hex, { attempts }: Batch): Promise<Facts> {
  const [, latest, safe, finalized] = await Promise.all([
    chain.check(),
    chain.block('latest'),
    chain.block('safe'),
    chain.block('finalized'),
  ]);
  const settled = finalized?.number ?? Math.max(0, (latest?.number ?? 0) - DEEP);
  const [nonce, finalNonce] = await Promise.all([
    chain.nonce(address, 'latest'),
    // a node that has forgotten the state at that block leaves the question open
    chain.nonce(address, settled).catch(() => null),
  ]);
  const receipts = await Promise.all(
    attempts.map(async ({ hash }) => {
      const receipt = await chain.receipt(hash);
      return receipt && { ...receipt, hash };
    }),
  );
  const found = receipts.filter((one) => one !== null).toSorted((left, right) => left.blockNumber - right.blockNumber);
  const newest = attempts.at(-1);
  const known = found.length > 0 || (newest !== undefined && (await chain.knows(newest.hash)));
  return { nonce, finalNonce, safe: safe?.number ?? null, finalized: finalized?.number ?? null, found, known };
}
