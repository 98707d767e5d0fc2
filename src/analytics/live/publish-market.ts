import { stampField, unfitField } from '#src/analytics/answers/freshness.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-clock.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { SignalsTaken } from '#src/analytics/domain/signals/track-signals.ts';
import type { Context } from '#src/system/context.ts';
import { marketEvents, signalEvents } from './market-events.ts';
import { marketState } from './market-state.ts';
import { type Alerts, alertsField, publishAlerts } from './publish-alerts.ts';
import { marketName, publishLive } from './publish-live.ts';
import { signalsField } from './stored-signals.ts';

type Answers = ReadonlyMap<string, string>;

export interface MarketNews {
  /** Names the computation: published once, however often its job runs. */
  readonly id: string;
  /** Epoch milliseconds by which newer news replace older ones. */
  readonly order: number;
  readonly analytics: ChainAnalytics;
  /** Answers of its routes from now on; none where `publishFigures` stores them later. */
  readonly answers?: Answers;
}

export interface FiguresNews extends MarketNews {
  readonly answers: Answers;
  /** The signals that the figures make; null where a later tick has made its own. */
  readonly signals: SignalsTaken | null;
}

type PublishContext = Pick<Context, 'redis' | 'config'>;

/** Publishes the newest chain of a symbol's feed to its stream; returns whether it was news. */
export async function publishMarket(
  context: PublishContext,
  { id, order, analytics, answers = new Map() }: MarketNews,
) {
  const state = JSON.stringify(marketState(analytics));
  return await publishLive(context, marketName(analytics.symbol), {
    id,
    order,
    events: marketEvents(analytics),
    answers: new Map([...answers, ['state', state]]),
  });
}

/**
 * Publishes the slower figures of a chain that the stream knows of already: its signals, and every answer. No news
 * once a newer chain was published.
 */
export async function publishFigures(context: PublishContext, { id, order, analytics, answers, signals }: FiguresNews) {
  const { symbol } = analytics;
  const stamp = { asOf: Date.parse(analytics.as_of), takenAt: order, synthetic: isSynthetic(analytics) };
  // those of the tick before, if its process ended too early: they are replaced now
  if (signals) await publishAlerts(context, symbol);
  const published = await publishLive(context, marketName(symbol), {
    id: `${id}-figures`,
    // after the chain itself and before the next one, so that neither is published again
    order: order + 0.5,
    events: signalEvents(analytics, signals),
    answers: new Map([
      ...answers,
      [stampField, JSON.stringify(stamp satisfies FeedStamp)],
      [unfitField, ''],
      ...(signals ? signalFields(id, order, signals) : []),
    ]),
  });
  await publishAlerts(context, symbol);
  return published;
}

/** Stored with the state in one step, so that no signal is made twice and none is lost. */
function signalFields(
  id: string,
  order: number,
  { stored, made }: SignalsTaken,
): readonly (readonly [string, string])[] {
  return [
    [signalsField, JSON.stringify(stored)],
    [alertsField, JSON.stringify({ id, order, signals: made } satisfies Alerts)],
  ];
}
