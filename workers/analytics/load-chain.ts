import { LRUCache } from 'lru-cache';
import { readPacked } from '#src/analytics/chains/chain-store.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { unpackChain } from '#src/analytics/domain/chain/pack-chain.ts';
import { AppError } from '#src/lib/errors.ts';
import { perContext } from '#src/system/per-context.ts';

const KEPT = 24;

/**
 * A stored chain with its columns in shared memory, which every thread reads without a copy. The last ones are kept:
 * a stored chain never changes.
 *
 * @throws AppError `no_chain` when it has been forgotten meanwhile.
 */
export const loadChain = perContext((context) => {
  const chains = new LRUCache<string, Promise<Chain>>({ max: KEPT });
  const load = async (id: string): Promise<Chain> => {
    const packed = await readPacked(context, id);
    if (packed) return unpackChain(packed);
    throw new AppError('no_chain', 'The chain of this job is no longer stored; submit the chain again.', { chain: id });
  };
  return async (id: string): Promise<Chain> => {
    const loading = chains.get(id) ?? load(id);
    chains.set(id, loading);
    return await loading.catch((error: unknown) => {
      chains.delete(id);
      throw error;
    });
  };
});
