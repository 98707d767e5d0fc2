import type { Context } from '#src/system/context.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';
import type { SignalsTaken } from './domain/track-signals.ts';
import { signalsField } from './live-signals.ts';
import { marketName, tellLive } from './live-tell.ts';
import { marketEvents } from './market-events.ts';
import { marketState } from './market-state.ts';
import { type Alerts, alertsField, tellAlerts } from './tell-alerts.ts';

export interface MarketNews {
  /** Names what was computed: told once, however often its job runs. */
  readonly id: string;
  /** Epoch milliseconds by which newer news replace older ones. */
  readonly order: number;
  readonly analytics: ChainAnalytics;
  /** What its routes answer from now on. */
  readonly answers: ReadonlyMap<string, string>;
  /** The signals its figures make; null where they were not looked for. */
  readonly signals?: SignalsTaken | null;
}

/** Tells the stream of a symbol what the newest chain of its feed says, and that of alerts what it made; answers whether it was news. */
export async function tellMarket(
  context: Pick<Context, 'redis' | 'config'>,
  { id, order, analytics, answers, signals = null }: MarketNews,
): Promise<boolean> {
  const events = marketEvents(analytics, signals);
  // those of the tick before, if its process ended too early: they are replaced now
  if (signals) await tellAlerts(context, analytics.symbol);
  const told = await tellLive(context, marketName(analytics.symbol), {
    id,
    order,
    events,
    answers: new Map([
      ...answers,
      ['state', JSON.stringify(marketState(analytics))],
      ...(signals
        ? ([
            [signalsField, JSON.stringify(signals.kept)],
            [alertsField, JSON.stringify({ id, order, signals: signals.made } satisfies Alerts)],
          ] as const)
        : []),
    ]),
  });
  await tellAlerts(context, analytics.symbol);
  return told;
}
