import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { newestAnswer } from './chain-store.ts';
import { marketName, readAnswer } from './live-tell.ts';
import { noChain } from './take-chain.ts';

export interface AnswerRequest {
  readonly symbol: string;
  /** As `answerField` names it. */
  readonly field: string;
  /** Whose chain comes first; null for the feed alone. */
  readonly owner: string | null;
}

/** An answer as it was computed, or the chain whose answers are not computed yet. */
export type FoundAnswer =
  | { readonly text: string }
  | { readonly text: null; readonly chain: string; readonly owner: string | null };

/**
 * An answer of an owner's own newest chain, else of the live feed, else of the feed's newest stored chain.
 *
 * @throws AppError `no_chain`.
 */
export async function findAnswer(context: Context, { symbol, field, owner }: AnswerRequest): Promise<FoundAnswer> {
  // both at once: few have a chain of their own, and nobody should wait for two stores one after the other
  const [own, live] = await Promise.all([
    owner === null ? null : newestAnswer(context, symbol, owner, field),
    readAnswer(context, marketName(symbol), field),
  ]);
  if (own === null && live !== null) return { text: live };
  const chain = own ?? (await newestAnswer(context, symbol, null, field));
  if (chain === null) throw noChain(symbol);
  if (chain.answer !== null) return { text: chain.answer };
  return { text: null, chain: chain.id, owner: own === null ? null : owner };
}

/** The answer after the job of its chain. @throws AppError `no_chain` where the chain was replaced meanwhile. */
export async function computedAnswer(context: Context, { symbol, field, owner }: AnswerRequest): Promise<string> {
  const computed = await newestAnswer(context, symbol, owner, field);
  if (computed?.answer) return computed.answer;
  throw new AppError('no_chain', 'The chain was replaced while its figures were computed; ask again.', { symbol });
}

/** The key of the one job that computes a chain for all who ask; a new one each hour, so that a cancelled one does not stand for ever. */
export function fitKey(chain: string): string {
  return `fit ${chain} ${Math.floor(Date.now() / 3_600_000)}`;
}
