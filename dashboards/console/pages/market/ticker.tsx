import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import type { Enveloped } from '#console/pages/market/parts/section.tsx';
import type { Market } from '#console/pages/market/parts/use-market.ts';
import { Live } from '#console/ui/states/live.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { points } from '#src/lib/charts/figures.ts';
import classes from './ticker.module.css';

interface Props {
  readonly market: Market;
  readonly answer: Enveloped<'GET /v1/levels/{symbol}'>;
}

/** Spot as it moves, its time, and whether it is still published. */
export function Ticker({ market, answer }: Props) {
  // only what the feed tells moves: a chain of one's own has no feed, and says no age
  const isFed = answer.age_seconds !== null && !market.isSilent;
  return (
    <span className={classes['ticker']}>
      <span className={classes['spot']} data-ticks={market.ticks}>
        {points(isFed ? (market.spot ?? answer.data?.spot) : answer.data?.spot)}
        <span className={classes['unit']}> points</span>
      </span>
      {isFed && <Live state={market.connection} />}
      {answer.synthetic && <StateBadge state="synthetic market" tone="wait" />}
      <span className={classes['age']}>
        <Freshness of={answer} />
      </span>
    </span>
  );
}
