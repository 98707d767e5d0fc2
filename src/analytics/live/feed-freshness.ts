import { type FeedStatus, type Freshness, unjudged } from '#src/analytics/answers/envelope.ts';
import { freshness, problemField, stampField, unfitField } from '#src/analytics/answers/freshness.ts';
import { readChain } from '#src/analytics/chains/chain-store.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-age.ts';
import type { Context } from '#src/system/context.ts';
import { marketName, readAnswers } from './live-tell.ts';

/** How old the newest data of a symbol's feed are now, and how the feed did; nothing before it told any. */
export async function feedFreshness(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<Freshness> {
  const [stamp, problem, unfit] = await readAnswers(context, marketName(symbol), [
    stampField,
    problemField,
    unfitField,
  ]);
  if (!stamp) return unjudged;
  const status = (problem || unfit || 'ok') as FeedStatus;
  return freshness(context.config, JSON.parse(stamp) as FeedStamp, status, Date.now());
}

/** Of what was computed from several stored chains; nothing where one of them is not the feed's or no longer there. */
export async function chainsFreshness(context: Context, chains: readonly string[]): Promise<Freshness> {
  return oldest(
    await Promise.all(
      chains.map(async (id) => {
        const stored = await readChain(context, id);
        return stored && stored.owner === null ? await feedFreshness(context, stored.symbol) : unjudged;
      }),
    ),
  );
}

/** Of several, what holds for all of them together: the greatest age and the first trouble; nothing where one has none. */
export function oldest(all: readonly Freshness[]): Freshness {
  if (all.length === 0 || all.some(({ stale }) => stale === null)) return unjudged;
  return {
    stale: all.some(({ stale }) => stale === true),
    age_seconds: Math.max(...all.map(({ age_seconds }) => age_seconds ?? 0)),
    feed_status: all.find(({ feed_status }) => feed_status !== 'ok')?.feed_status ?? 'ok',
  };
}

/** An envelope with its age told. A status other than `ok` says more than that the answer is old, and stays. */
export function withAge<T extends { readonly status: string }>(answer: T, fresh: Freshness) {
  return { ...answer, ...fresh, status: fresh.stale && answer.status === 'ok' ? 'stale' : answer.status };
}
