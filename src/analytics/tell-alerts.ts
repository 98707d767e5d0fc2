import type { Context } from '#src/system/context.ts';
import type { Signal, SignalKind } from './domain/signals-schema.ts';
import { tellLive } from './live-tell.ts';

export interface AlertFilter {
  readonly symbol?: string | undefined;
  readonly kind?: SignalKind | undefined;
}

/** The live stream of alerts, or of those of a symbol or of a kind or of both. */
export function alertsName({ symbol, kind }: AlertFilter): string {
  return ['alerts', symbol, kind].filter((part) => part !== undefined).join('-');
}

export interface Alerts {
  readonly symbol: string;
  /** Names the tick that made them: told once, however often its job runs. */
  readonly id: string;
  readonly order: number;
  readonly signals: readonly Signal[];
}

/** Tells the signals of a tick to every stream of alerts they belong to, each once. */
export async function tellAlerts(
  context: Pick<Context, 'redis' | 'config'>,
  { symbol, id, order, signals }: Alerts,
): Promise<void> {
  const kinds = new Set(signals.map(({ kind }) => kind));
  const filters: AlertFilter[] = [{}, { symbol }, ...Array.from(kinds, (kind) => ({ kind }))];
  filters.push(...Array.from(kinds, (kind) => ({ symbol, kind })));
  for (const filter of signals.length > 0 ? filters : []) {
    const events = signals
      .filter(({ kind }) => filter.kind === undefined || kind === filter.kind)
      .map((signal) => [signal.kind, signal] as const);
    await tellLive(context, alertsName(filter), { id, order, source: symbol, events });
  }
}
