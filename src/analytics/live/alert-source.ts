import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import { pageOf } from '#src/governance/notifications/outbox/event.ts';
import type { EventSource } from '#src/governance/notifications/outbox/outbox.ts';
import type { StreamEvent } from '#src/http/streams/stream-source.ts';
import { alertsName } from './publish-alerts.ts';
import { liveKeys } from './publish-live.ts';

/** Alerts that one look reads. */
const PAGE = 200;

/**
 * Signals of every symbol, for endpoints. Redis keeps the latest thousand: what was made while no process looked for longer
 * is lost with it, and so is everything when Redis is emptied.
 */
export const alertSource: EventSource = {
  name: 'alerts',
  read: async ({ redis, config }, cursor) => {
    const { state, stream } = liveKeys(config, alertsName);
    const [epoch, n] = await redis.hmget(state, 'epoch', 'n');
    const [, knownEpoch, seen] = /^(.*)\.(\d+)$/.exec(cursor ?? '') ?? [];
    // before the first alert, and in another history, it begins with what comes
    if (!epoch) return { events: [], cursor: cursor ?? '.0' };
    const isNew = cursor === null || (knownEpoch !== '' && knownEpoch !== epoch);
    if (isNew || Number(seen) >= Number(n)) return { events: [], cursor: `${epoch}.${n}` };
    const entries = await redis.xrange(stream, `${Number(seen) + 1}-0`, '+', 'COUNT', PAGE);
    const alerts = entries.map(([, fields]) => JSON.parse(fields[1] ?? '{}') as StreamEvent);
    return {
      events: alerts.map(({ n: number, at, data }) => {
        const signal = data as Signal;
        return {
          key: `alert:${epoch}:${number}`,
          owner: null,
          type: `signal.${signal.kind}`,
          at: new Date(at),
          symbol: signal.symbol,
          data: { ...signal, url: pageOf(config, `/market/${signal.symbol}`) },
        };
      }),
      cursor: `${epoch}.${alerts.at(-1)?.n ?? n}`,
    };
  },
};
