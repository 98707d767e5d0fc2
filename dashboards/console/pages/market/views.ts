import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';

interface View {
  /** In the address, as `?view=`. */
  readonly name: string;
  readonly title: string;
  readonly part: LazyExoticComponent<ComponentType<ViewProps>>;
}

/** The views of a symbol, each loaded when it is first opened. */
export const views: readonly View[] = [
  {
    name: 'levels',
    title: 'Levels',
    part: lazy(async () => ({
      default: (await import('#console/pages/market/levels/profile-panel.tsx')).ProfilePanel,
    })),
  },
  {
    name: 'exposure',
    title: 'Exposure',
    part: lazy(async () => ({
      default: (await import('#console/pages/market/exposure/exposure-panel.tsx')).ExposurePanel,
    })),
  },
  {
    name: 'volatility',
    title: 'Volatility',
    part: lazy(async () => ({
      default: (await import('#console/pages/market/volatility/volatility-panel.tsx')).VolatilityPanel,
    })),
  },
  {
    name: 'hedging',
    title: 'Hedging',
    part: lazy(async () => ({ default: (await import('#console/pages/market/hedging/hedging-view.tsx')).HedgingView })),
  },
  {
    name: 'history',
    title: 'History',
    part: lazy(async () => ({
      default: (await import('#console/pages/market/history/history-panel.tsx')).HistoryPanel,
    })),
  },
  {
    name: 'alerts',
    title: 'Alerts',
    part: lazy(async () => ({ default: (await import('#console/pages/market/alerts/alerts-view.tsx')).AlertsView })),
  },
  {
    name: 'stress',
    title: 'Stress',
    part: lazy(async () => ({ default: (await import('#console/pages/market/stress/stress-panel.tsx')).StressPanel })),
  },
  {
    name: 'oracle',
    title: 'Oracle',
    part: lazy(async () => ({ default: (await import('#console/pages/market/oracle/oracle-panel.tsx')).OraclePanel })),
  },
];
