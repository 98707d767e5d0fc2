import type { Context } from '#src/system/context.ts';
import type { Signal } from './domain/signals-schema.ts';
import { tellLive } from './live-tell.ts';

/** The live stream of alerts, of all symbols. */
export const alertsName = 'alerts';

export interface Alerts {
  readonly symbol: string;
  /** Names the tick that made them: told once, however often its job runs. */
  readonly id: string;
  readonly order: number;
  readonly signals: readonly Signal[];
}

/** Tells the signals of a tick to the stream of alerts, all of them in one step and each once. */
export async function tellAlerts(
  context: Pick<Context, 'redis' | 'config'>,
  { symbol, id, order, signals }: Alerts,
): Promise<void> {
  if (signals.length === 0) return;
  const events = signals.map((signal) => [signal.kind, signal] as const);
  await tellLive(context, alertsName, { id, order, source: symbol, events });
}
