import { useState } from 'react';
import { addressOf } from '#console/api/client.ts';
import type { StreamState } from '#console/api/events.ts';
import { useStream } from '#console/api/use-stream.ts';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';
import { alertKinds, type Signal } from './alert-kinds.ts';

/** Most alerts that are shown: as many as the service keeps. */
const MOST = 100;

const types = Object.keys(alertKinds);

export interface Alerts {
  /** Newest first; null until the stream has said which there are. */
  readonly signals: readonly Signal[] | null;
  /** Ids of the alerts that came while the page was open. */
  readonly fresh: ReadonlySet<string>;
  readonly connection: StreamState;
}

/** The alerts of a symbol, or of all with null: the recent ones, then each as it is made. */
export function useAlerts(symbol: MarketSymbol | null): Alerts {
  const [known, setKnown] = useState<Omit<Alerts, 'connection'>>({ signals: null, fresh: new Set() });
  const connection = useStream(addressOf('/v1/alerts', {}, symbol ? { symbols: symbol } : {}), {
    types,
    onEvent: ({ type, data }) => {
      if (type === 'snapshot' || type === 'reset') {
        const { recent } = data as { readonly recent: readonly Signal[] };
        setKnown(({ fresh }) => ({ signals: recent, fresh }));
        return;
      }
      const signal = data as Signal;
      setKnown(({ signals, fresh }) => ({
        // a replay after a break tells again what is there already
        signals: [signal, ...(signals ?? []).filter(({ id }) => id !== signal.id)].slice(0, MOST),
        fresh: new Set(fresh).add(signal.id),
      }));
    },
  });
  return { ...known, connection };
}
