import { BandsPanel } from './bands-panel.tsx';
import { CharmPanel } from './charm-panel.tsx';
import classes from './two-parts.module.css';
import type { ViewProps } from './views.ts';

/** What dealers will trade: as time passes, and where spot goes. */
export function HedgingView(props: ViewProps) {
  return (
    <div className={classes['stack']}>
      <CharmPanel {...props} />
      <BandsPanel {...props} />
    </div>
  );
}
