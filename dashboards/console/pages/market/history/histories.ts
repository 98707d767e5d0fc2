import { isFigure, none, percent, points, signedDollars } from '#src/lib/charts/figures.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import type { HistoryCall } from './use-history.ts';

interface Line {
  readonly name: string;
  /** Field of a row of the answer. */
  readonly field: string;
  readonly tone: keyof Palette;
  readonly type?: 'dashed' | 'dotted';
  /** Stands from one snapshot to the next, as strikes do. */
  readonly isStep?: boolean;
}

interface History {
  readonly title: string;
  readonly call: HistoryCall;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly format: (value: number | null) => string;
}

/** Figures that can be followed through time, each with its drawing. */
export const histories = {
  levels: {
    title: 'Spot, flip and walls',
    call: 'GET /v1/history/levels',
    unit: 'points',
    format: points,
    lines: [
      { name: 'Spot', field: 'spot', tone: 'spot' },
      { name: 'Gamma flip', field: 'flip', tone: 'flip', type: 'dashed' },
      { name: 'Call wall', field: 'call_wall', tone: 'call', isStep: true },
      { name: 'Put wall', field: 'put_wall', tone: 'put', isStep: true },
    ],
  },
  gamma: {
    title: 'Net gamma',
    call: 'GET /v1/history/flips',
    unit: '$ delta per +1 % spot',
    format: signedDollars,
    lines: [{ name: 'Net gamma', field: 'net_gex', tone: 'plus' }],
  },
  regime: {
    title: 'Net over gross gamma',
    call: 'GET /v1/history/regime',
    unit: 'share, -100 % to 100 %: above zero dealers damp moves',
    format: percent,
    lines: [{ name: 'Net over gross gamma', field: 'ngr', tone: 'plus' }],
  },
  volatility: {
    title: 'Volatility',
    call: 'GET /v1/history/levels',
    unit: '% a year, at the money, 30 days out',
    format: percent,
    lines: [{ name: 'Volatility at the money', field: 'atm_volatility', tone: 'plus' }],
  },
  dsi: {
    title: 'Stability',
    call: 'GET /v1/history/dsi',
    unit: 'Dealer stability index, 0 to 100',
    format: (value) => (isFigure(value) ? value.toFixed(1) : none),
    lines: [{ name: 'Dealer stability index', field: 'dsi', tone: 'plus' }],
  },
} as const satisfies Readonly<Record<string, History>>;

export type HistoryName = keyof typeof histories;

/** A history as it is drawn. */
export function historyOf(name: HistoryName): History {
  return histories[name];
}
