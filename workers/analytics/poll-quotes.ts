import { createHash } from 'node:crypto';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { fetchQuotes, quotesAddress } from '#src/analytics/feed/fetch-quotes.ts';
import type { Offer, TakeOutcome } from '#src/analytics/feed/offer.ts';
import { keepPollState, type PollState, pollDelay, readPollState } from '#src/analytics/feed/polled-feed.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Asks once for a symbol's delayed quotes, unless it is too early for that, and offers what is new. The time of the
 * next request is set before this one, so that a process which dies in between does not ask at once again.
 *
 * @throws AppError what was wrong with the answer; the next request then comes later.
 */
export async function pollQuotes(
  context: Context,
  symbol: MarketSymbol,
  offer: Offer,
  signal: AbortSignal,
): Promise<TakeOutcome> {
  const { FEED_CBOE_URL, FEED_POLL_MS, CHAIN_BODY_LIMIT_BYTES } = context.config;
  const state = await readPollState(context, symbol);
  const now = Date.now();
  if (now < state.notBefore) return 'waiting';
  const next = (failures: number, requestedMs = 0): Pick<PollState, 'failures' | 'notBefore'> => ({
    failures,
    notBefore: now + pollDelay({ everyMs: FEED_POLL_MS, failures, requestedMs }),
  });
  await keepPollState(context, symbol, { ...state, ...next(state.failures) });
  try {
    const limits = { most: CHAIN_BODY_LIMIT_BYTES, signal };
    const quotes = await fetchQuotes(quotesAddress(FEED_CBOE_URL, symbol), state, limits);
    const digest = quotes ? createHash('sha256').update(quotes.bytes).digest('hex') : state.digest;
    const outcome = quotes && digest !== state.digest ? await offer(quotes.bytes) : 'unchanged';
    const { etag, modified } = quotes ?? state;
    await keepPollState(context, symbol, { etag, modified, digest, ...next(0) });
    return outcome;
  } catch (error) {
    // the document before stays the one that is known: a broken one is requested whole again
    const requestedMs = error instanceof AppError ? Number(error.details['asked_ms'] ?? 0) : 0;
    if (!signal.aborted) await keepPollState(context, symbol, { ...state, ...next(state.failures + 1, requestedMs) });
    throw error;
  }
}
