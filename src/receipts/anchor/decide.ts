import type { Batch } from './batch-store.ts';
import type { Found } from './found-transaction.ts';
import type { Finality } from './leaves.ts';

/** Transactions of one account that wait in pools at once; go-ethereum keeps 16 of them. */
export const IN_FLIGHT = 8;

/**
 * Facts of the chain about a batch: the only thing that decides. What a node answers to a sent transaction does not.
 */
export interface Facts {
  /**
   * Transactions of the account in the newest block, and in the newest that is final; null where the node cannot say.
   */
  readonly nonce: number;
  readonly finalNonce: number | null;
  /** Heights up to which blocks are safe and final; null where the chain does not say. */
  readonly safe: number | null;
  readonly finalized: number | null;
  /** The transactions of the batch that are in a block, the lowest first. */
  readonly found: readonly Found[];
  /** True where the node knows the newest transaction of the batch. */
  readonly known: boolean;
}

export type Move =
  /** Takes a nonce and signs; `nonce_taken` after its nonce went to something else for good. */
  | { readonly do: 'sign'; readonly why: 'first' | 'nonce_taken' }
  | { readonly do: 'bump' }
  /** Sends the newest transaction, the same bytes as before. */
  | { readonly do: 'send' }
  | { readonly do: 'record'; readonly status: Finality; readonly found: Found }
  /** The chain had it and has it no more. */
  | { readonly do: 'lose' }
  /** A filler whose nonce is used after all. */
  | { readonly do: 'void' }
  | { readonly do: 'wait' };

/**
 * Decides what to do about a batch now. Doing it twice does no harm.
 *
 * Its nonce counts as taken by something else only in a final block. Before that the chain may still change its mind,
 * and a batch that is signed for two nonces can be anchored twice.
 */
export function decide(batch: Batch, facts: Facts, bumpAfterMs: number): Move {
  const newest = batch.attempts.at(-1);
  if (batch.status === 'new' || newest === undefined) return { do: 'sign', why: 'first' };
  const found = facts.found.find(({ succeeded }) => succeeded);
  if (found) return { do: 'record', status: finalityOf(found.blockNumber, facts), found };
  if (batch.status !== 'signed') return { do: 'lose' };
  if (facts.finalNonce !== null && facts.finalNonce > newest.nonce) {
    return batch.root === null ? { do: 'void' } : { do: 'sign', why: 'nonce_taken' };
  }
  const ahead = newest.nonce - facts.nonce;
  if (ahead < 0 || ahead >= IN_FLIGHT) return { do: 'wait' };
  // who is not next in turn waits for the ones before it, whatever it pays
  if (ahead === 0 && newest.ageMs >= bumpAfterMs) return { do: 'bump' };
  return facts.known ? { do: 'wait' } : { do: 'send' };
}

function finalityOf(height: number, { safe, finalized }: Facts): Finality {
  if (finalized !== null && height <= finalized) return 'finalized';
  return safe !== null && height <= safe ? 'safe' : 'included';
}
