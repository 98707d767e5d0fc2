import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import type { Context } from '#src/system/context.ts';
import { marketName, publishLive, readAnswer } from './publish-live.ts';

/** The live stream of alerts, of all symbols. */
export const alertsName = 'alerts';

/**
 * Field among a symbol's answers for its latest alerts, so that they move on with its state and wait there to be
 * published.
 */
export const alertsField = 'alerts';

/** The alerts that a tick made. */
export interface Alerts {
  /** Names the tick: published once, however often its job runs. */
  readonly id: string;
  readonly order: number;
  readonly signals: readonly Signal[];
}

/**
 * Publishes the alerts of a symbol's latest tick to their stream, all in one step and once. They are read from the
 * state of the symbol: a process that ends before the state has moved on has published nothing, and the next tick makes
 * the alerts; one that ends after it leaves them to the next call.
 */
export async function publishAlerts(context: Pick<Context, 'redis' | 'config'>, symbol: string): Promise<void> {
  const text = await readAnswer(context, marketName(symbol), alertsField);
  if (text === null) return;
  const { id, order, signals }: Alerts = JSON.parse(text);
  if (signals.length === 0) return;
  const events = signals.map((signal) => [signal.kind, signal] as const);
  await publishLive(context, alertsName, { id, order, source: symbol, events });
}
