import type { Context } from '#src/system/context.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';
import type { SignalsTaken } from './domain/track-signals.ts';
import { signalsField } from './live-signals.ts';
import { marketName, type Telling, tellLive } from './live-tell.ts';
import { marketEvents, signalEvents } from './market-events.ts';
import { marketState } from './market-state.ts';

type Answers = ReadonlyMap<string, string>;

export interface MarketNews {
  /** Names what was computed: told once, however often its job runs. */
  readonly id: string;
  /** Epoch milliseconds by which newer news replace older ones. */
  readonly order: number;
  readonly analytics: ChainAnalytics;
  /** What its routes answer from now on; none where that follows in `tellFigures`. */
  readonly answers?: Answers;
}

export interface FiguresNews extends MarketNews {
  readonly answers: Answers;
  /** The signals that the figures make; null where a later tick has made its own. */
  readonly signals: SignalsTaken | null;
}

type Told = Pick<Context, 'redis' | 'config'>;

/** Tells the stream of a symbol what the newest chain of its feed says; answers whether it was news. */
export async function tellMarket(context: Told, { id, order, analytics, answers = new Map() }: MarketNews) {
  const state = JSON.stringify(marketState(analytics));
  return await tellAll(context, analytics.symbol, {
    id,
    order,
    events: marketEvents(analytics),
    answers: new Map([...answers, ['state', state]]),
  });
}

/**
 * Tells what takes longer to compute of a chain that the stream knows of already: its signals, and every answer. No news
 * once a newer chain was told.
 */
export async function tellFigures(context: Told, { id, order, analytics, answers, signals }: FiguresNews) {
  return await tellAll(context, analytics.symbol, {
    id: `${id}-figures`,
    // after the chain itself and before the next one, so that neither is told again
    order: order + 0.5,
    events: signalEvents(analytics, signals),
    answers: new Map([...answers, ...(signals ? [[signalsField, JSON.stringify(signals.kept)] as const] : [])]),
  });
}

async function tellAll(context: Told, symbol: string, telling: Telling): Promise<boolean> {
  const told = await tellLive(context, marketName(symbol), telling);
  // each type has a stream of its own as well, with its own dense numbers
  if (told)
    for (const event of telling.events)
      await tellLive(context, marketName(symbol, event[0]), { id: telling.id, order: telling.order, events: [event] });
  return told;
}
