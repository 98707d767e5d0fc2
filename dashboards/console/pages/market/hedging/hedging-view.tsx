import classes from '#console/pages/market/parts/two-parts.module.css';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { BandsPanel } from './bands-panel.tsx';
import { CharmPanel } from './charm-panel.tsx';

/** Future trades of dealers: as time passes, and as spot moves. */
export function HedgingView(props: ViewProps) {
  return (
    <div className={classes['stack']}>
      <CharmPanel {...props} />
      <BandsPanel {...props} />
    </div>
  );
}
