import { AlertsPanel } from './alerts-panel.tsx';
import type { ViewProps } from './views.ts';

/** The alerts of the symbol that is looked at. */
export function AlertsView({ symbol }: ViewProps) {
  return <AlertsPanel symbol={symbol} />;
}
