import { modelVersion } from '#src/analytics/answers/envelope.ts';
import { stampField } from '#src/analytics/answers/freshness.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-clock.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { type Remembered, snapshotFigures } from '#src/analytics/domain/figures/snapshot-figures.ts';
import type { Observation, StoredSignals } from '#src/analytics/domain/signals/signals-schema.ts';
import { takeObservation } from '#src/analytics/domain/signals/track-signals.ts';
import { storeSnapshot } from '#src/analytics/history/history-store.ts';
import { marketName, readAnswer } from '#src/analytics/live/publish-live.ts';
import { publishFigures } from '#src/analytics/live/publish-market.ts';
import { readSignals } from '#src/analytics/live/stored-signals.ts';
import { signalAnswers } from '#src/analytics/sections/section-answers.ts';
import type { Context } from '#src/system/context.ts';

/** Figures that follow from a chain of the feed. */
export interface FeedFigures {
  readonly analytics: ChainAnalytics;
  /** By `section:generation`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly remembered: Remembered;
  /** Observation that signals are made of. */
  readonly observation: Observation;
}

/**
 * Publishes the figures of the newest chain of a feed, of a real market or generated, to its symbol's stream and the
 * alerts. Answers whether it was news, and the answers with its signals among them.
 */
export async function takeFigures(
  context: Context,
  { analytics, answers, observation }: FeedFigures,
  { id, order }: { readonly id: string; readonly order: number },
): Promise<{ readonly isNews: boolean; readonly answers: ReadonlyMap<string, string> }> {
  const signals = takeObservation(await signalsBefore(context, analytics), observation, order);
  const all = new Map([...answers, ...(signals ? signalAnswers(analytics, signals.stored) : [])]);
  return { isNews: await publishFigures(context, { id, order, analytics, answers: all, signals }), answers: all };
}

/** A generated market is no past of a real one: between the two nothing moved, and nothing is to be signalled. */
async function signalsBefore(context: Context, analytics: ChainAnalytics): Promise<StoredSignals | null> {
  const stamp = await readAnswer(context, marketName(analytics.symbol), stampField);
  const isSameKind = stamp !== null && (JSON.parse(stamp) as FeedStamp).synthetic === isSynthetic(analytics);
  return isSameKind ? await readSignals(context, analytics.symbol) : null;
}

/** Keeps the figures of a chain of the feed in the history; `knowledgeTime` is when they could first be known. */
export async function keepFigures(
  context: Pick<Context, 'db'>,
  { analytics, remembered }: Pick<FeedFigures, 'analytics' | 'remembered'>,
  knowledgeTime: Date,
): Promise<void> {
  const { symbol, spot } = analytics;
  const figures = snapshotFigures(analytics, modelVersion, remembered);
  await storeSnapshot(context, { symbol, asOf: new Date(analytics.as_of), knowledgeTime, spot, figures });
}
