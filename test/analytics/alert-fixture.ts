import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import { type Alerts, alertsField, publishAlerts } from '#src/analytics/live/publish-alerts.ts';
import { marketName, publishLive } from '#src/analytics/live/publish-live.ts';
import type { Context } from '#src/system/context.ts';

/** A signal of which only its name matters. */
export const signal = (symbol: string, kind: Signal['kind'], n: number): Signal => ({
  id: `${symbol}.${kind}.x.${n}`,
  symbol,
  kind,
  direction: 'up',
  strength: 1,
  confidence: null,
  horizon: '30m',
  as_of: new Date(n).toISOString(),
  expires_at: new Date(n + 1_800_000).toISOString(),
  spot: 6000,
  level: null,
  expected_move_pct: null,
  evidence: [],
  invalidation: 'none',
});

/** What a tick leaves with its symbol's state before it tells its alerts. */
export async function leaveAlerts(context: Context, symbol: string, alerts: Alerts): Promise<void> {
  const answers = new Map([[alertsField, JSON.stringify(alerts)]]);
  await publishLive(context, marketName(symbol), { id: alerts.id, order: alerts.order, events: [], answers });
}

/** A tick of a symbol that made these signals. */
export async function makeAlerts(context: Context, symbol: string, alerts: Alerts): Promise<void> {
  await leaveAlerts(context, symbol, alerts);
  await publishAlerts(context, symbol);
}
