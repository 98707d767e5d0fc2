import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StreamState } from '#console/api/events.ts';
import { useStream } from '#console/api/use-stream.ts';
import type { Figures } from './section.tsx';
import type { MarketSymbol } from './symbols.ts';

type Gex = Figures<'GET /v1/gex/{symbol}'>;

/** State of a symbol by its stream so far; of the first generation of dealers, and of the configured feed. */
export interface Live {
  readonly as_of?: string;
  readonly spot?: number;
  readonly net_gex?: number;
  readonly flips?: Gex['flips'];
  readonly levels?: Gex['levels'];
  readonly regime?: Gex['regime'];
}

export interface Market extends Live {
  readonly connection: StreamState;
  /** Number of moves since the stream was opened. */
  readonly ticks: number;
  /** True while the feed has published nothing of the symbol. */
  readonly isSilent: boolean;
}

const types = ['gex', 'levels', 'regime', 'signals'];

/**
 * Follows a symbol: its main figures at each tick, and every answer about it read again when all figures are computed.
 */
export function useMarket(symbol: MarketSymbol): Market {
  const client = useQueryClient();
  const [latest, setLatest] = useState<{ live: Live; ticks: number; isSilent: boolean }>({
    live: {},
    ticks: 0,
    isSilent: false,
  });
  const connection = useStream(`/v1/stream/${symbol}`, {
    types,
    onEvent: ({ type, data }) => {
      setLatest(({ live, ticks }) => ({
        live: { ...live, ...part(type, data) },
        ticks: type === 'gex' ? ticks + 1 : ticks,
        isSilent: (data as { status?: string }).status === 'no_chain',
      }));
      if (type === 'signals' || type === 'reset') void readAgain(client, symbol);
    },
  });
  return { ...latest.live, connection, ticks: latest.ticks, isSilent: latest.isSilent };
}

function part(type: string, data: unknown): Live {
  const { as_of, spot, flips, ...rest } = data as Required<Live> & { readonly status?: string };
  if (type === 'signals' || rest.status === 'no_chain') return {};
  const base = { as_of, spot };
  if (type === 'levels') return { ...base, flips, levels: rest as unknown as Gex['levels'] };
  if (type === 'regime') return { ...base, regime: rest as unknown as Gex['regime'] };
  if (type === 'gex') return { ...base, net_gex: rest.net_gex };
  return { ...base, flips, levels: rest.levels, regime: rest.regime, net_gex: rest.net_gex };
}

/** Reads every shown answer about a symbol again; hidden ones when they are shown again. */
export async function readAgain(client: ReturnType<typeof useQueryClient>, symbol: MarketSymbol): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey: [name, input] }) =>
      !String(name).startsWith('GET /v1/history') &&
      (input as { path?: { symbol?: string } } | undefined)?.path?.symbol === symbol,
  });
}
