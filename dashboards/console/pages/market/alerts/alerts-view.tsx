import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { AlertsPanel } from './alerts-panel.tsx';

/** The alerts of the symbol that is looked at. */
export function AlertsView({ symbol }: ViewProps) {
  return <AlertsPanel symbol={symbol} />;
}
