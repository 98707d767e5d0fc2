import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { Generation } from './generations.ts';
import type { MarketSymbol } from './symbols.ts';
import type { Market } from './use-market.ts';

/** What every view of a symbol is given. */
export interface ViewProps {
  readonly symbol: MarketSymbol;
  readonly generation: Generation;
  readonly market: Market;
}

interface View {
  /** In the address, as `?view=`. */
  readonly name: string;
  readonly title: string;
  readonly part: LazyExoticComponent<ComponentType<ViewProps>>;
}

/** What can be seen of a symbol, each loaded when it is first opened. */
export const views: readonly View[] = [
  {
    name: 'levels',
    title: 'Levels',
    part: lazy(async () => ({ default: (await import('./profile-panel.tsx')).ProfilePanel })),
  },
  {
    name: 'exposure',
    title: 'Exposure',
    part: lazy(async () => ({ default: (await import('./exposure-panel.tsx')).ExposurePanel })),
  },
  {
    name: 'volatility',
    title: 'Volatility',
    part: lazy(async () => ({ default: (await import('./volatility-panel.tsx')).VolatilityPanel })),
  },
  {
    name: 'hedging',
    title: 'Hedging',
    part: lazy(async () => ({ default: (await import('./hedging-view.tsx')).HedgingView })),
  },
  {
    name: 'history',
    title: 'History',
    part: lazy(async () => ({ default: (await import('./history-panel.tsx')).HistoryPanel })),
  },
  {
    name: 'alerts',
    title: 'Alerts',
    part: lazy(async () => ({ default: (await import('./alerts-view.tsx')).AlertsView })),
  },
  {
    name: 'stress',
    title: 'Stress',
    part: lazy(async () => ({ default: (await import('./stress-panel.tsx')).StressPanel })),
  },
  {
    name: 'oracle',
    title: 'Oracle',
    part: lazy(async () => ({ default: (await import('./oracle-panel.tsx')).OraclePanel })),
  },
];
