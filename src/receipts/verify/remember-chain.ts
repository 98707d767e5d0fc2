import { LRUCache } from 'lru-cache';
import type { Rpc } from '#src/lib/json-rpc.ts';
import { type ChainAnswer, type ReadChain, readChain } from './read-chain.ts';

/**
 * Milliseconds for which an endpoint's answer about a transaction that is not final yet serves other requests for the
 * same.
 */
const freshMs = 5_000;

/**
 * Remembers what each endpoint said of a transaction: for good where it is final, else for 5 s. Never a verdict: what a
 * receipt says is compared with it every time, and what does not fit is read from the chain again.
 */
export function rememberChain(): ReadChain {
  const byEndpoint = new WeakMap<Rpc, LRUCache<string, Promise<ChainAnswer>>>();
  return async (tx, rpc, fits) => {
    const known = byEndpoint.get(rpc) ?? new LRUCache<string, Promise<ChainAnswer>>({ max: 10_000 });
    byEndpoint.set(rpc, known);
    const earlier = known.get(tx);
    const remembered = earlier && (await earlier.catch(() => null));
    if (remembered && fits(remembered)) return remembered;
    const asking = readChain(tx, rpc);
    known.set(tx, asking, { ttl: freshMs });
    const answer = await asking.catch((error: unknown) => {
      known.delete(tx);
      throw error;
    });
    if (isFinal(answer)) known.set(tx, asking);
    return answer;
  };
}

/**
 * Checks whether the answer is whole and will be the same for ever; one with a part missing may be another next time.
 */
function isFinal({ transaction }: ChainAnswer): boolean {
  if (transaction?.finality !== 'finalized' || !transaction.receipt || !transaction.block) return false;
  const { blockHash, receipt, block } = transaction;
  return block.lists && receipt.blockHash === blockHash && block.hash === blockHash;
}
