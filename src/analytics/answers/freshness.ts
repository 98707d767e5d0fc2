import { type FeedStamp, feedAge } from '#src/analytics/domain/calendar/feed-clock.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { type FeedStatus, type Freshness, unjudged } from './envelope.ts';

/** Field among a symbol's answers that holds the time of its feed's newest figures. */
export const stampField = 'stamp';
/** Field for the error of the feed's last request, a `FeedStatus`; missing after a request without error. */
export const problemField = 'problem';
/** Field for the error in the newest chain that the feed sent, a `FeedStatus`; empty after a chain without error. */
export const unfitField = 'unfit';

/** Rounds of figures that a synthetic market may miss, and the least time that takes. */
const MISSED = 12;
const LEAST_MS = 60_000;

/** Age above which figures of a feed are stale, ms: of its own round where the market is generated live. */
function staleAfter({ FEED, FEED_FIGURES_MS, FEED_STALE_MS }: Config, { synthetic }: FeedStamp): number {
  return synthetic && FEED === 'synthetic' ? Math.max(LEAST_MS, MISSED * FEED_FIGURES_MS) : FEED_STALE_MS;
}

/** Computes how old an answer of the feed is at an instant; `status` is the feed's status at its last request. */
export function freshness(config: Config, stamp: FeedStamp, status: FeedStatus, now: number): Freshness {
  const age = feedAge(stamp, now);
  return {
    stale: age > staleAfter(config, stamp),
    age_seconds: Math.round(age / 1_000),
    feed_status: status,
  };
}

/** Beginning of an envelope, as `envelope` writes it. */
const head = new RegExp(`^\\{"status":"([^"]*)",${JSON.stringify(unjudged).slice(1, -1)}`);

/**
 * Writes the age into the envelope of a stored answer; the rest is not looked at. A status other than `ok` says more
 * than that the answer is old, and stays.
 *
 * @throws Error for a text that does not begin as an envelope.
 */
export function withFreshness(text: string, fresh: Freshness): string {
  const found = head.exec(text);
  if (!found) throw new Error(`expected an answer that begins as an envelope, got ${text.slice(0, 80)}`);
  const status = fresh.stale && found[1] === 'ok' ? 'stale' : found[1];
  return `${JSON.stringify({ status, ...fresh }).slice(0, -1)}${text.slice(found[0].length)}`;
}
