import { stampField, unfitField } from '#src/analytics/answers/freshness.ts';
import type { FeedStamp } from '#src/analytics/domain/calendar/feed-clock.ts';
import { isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import type { SignalsTaken } from '#src/analytics/domain/signals/track-signals.ts';
import type { Context } from '#src/system/context.ts';
import { marketName, tellLive } from './live-tell.ts';
import { marketEvents, signalEvents } from './market-events.ts';
import { marketState } from './market-state.ts';
import { signalsField } from './signals.ts';
import { type Alerts, alertsField, tellAlerts } from './tell-alerts.ts';

type Answers = ReadonlyMap<string, string>;

export interface MarketNews {
  /** Names the computation: published once, however often its job runs. */
  readonly id: string;
  /** Epoch milliseconds by which newer news replace older ones. */
  readonly order: number;
  readonly analytics: ChainAnalytics;
  /** Answers of its routes from now on; none where `tellFigures` stores them later. */
  readonly answers?: Answers;
}

export interface FiguresNews extends MarketNews {
  readonly answers: Answers;
  /** The signals that the figures make; null where a later tick has made its own. */
  readonly signals: SignalsTaken | null;
}

type Told = Pick<Context, 'redis' | 'config'>;

/** Publishes the newest chain of a symbol's feed to its stream; returns whether it was news. */
export async function tellMarket(context: Told, { id, order, analytics, answers = new Map() }: MarketNews) {
  const state = JSON.stringify(marketState(analytics));
  return await tellLive(context, marketName(analytics.symbol), {
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
export async function tellFigures(context: Told, { id, order, analytics, answers, signals }: FiguresNews) {
  const { symbol } = analytics;
  const stamp = { asOf: Date.parse(analytics.as_of), takenAt: order, synthetic: isSynthetic(analytics) };
  // those of the tick before, if its process ended too early: they are replaced now
  if (signals) await tellAlerts(context, symbol);
  const told = await tellLive(context, marketName(symbol), {
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
  await tellAlerts(context, symbol);
  return told;
}

/** Stored with the state in one step, so that no signal is made twice and none is lost. */
function signalFields(id: string, order: number, { kept, made }: SignalsTaken): readonly (readonly [string, string])[] {
  return [
    [signalsField, JSON.stringify(kept)],
    [alertsField, JSON.stringify({ id, order, signals: made } satisfies Alerts)],
  ];
}
