import type { ReactNode } from 'react';
import { bandSources } from '#console/pages/market/parts/generations.ts';
import { RegimeMark } from '#console/pages/market/parts/regime-mark.tsx';
import { useLevels } from '#console/pages/market/parts/use-levels.ts';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { distance, dollars, percent, points, words } from '#src/lib/charts/figures.ts';
import classes from './key-figures.module.css';

/** The figures that one looks at first. */
export function KeyFigures(props: ViewProps) {
  const now = useLevels(props);
  if (!now) return null;
  const { spot, levels, flip, regime, netGex, probability } = now;
  const band = levels.flip_interval;
  const range = levels.expected_range_1d;
  // a band stands beside its own point only
  const isBanded = band.status === 'ok' && band.flip === flip && band.low !== null && band.high !== null;
  return (
    <dl className={classes['figures']}>
      <Tile name="Regime" note={regime && `net over gross gamma ${percent(regime.ngr, 0)}`}>
        <RegimeMark state={regime?.state} brief />
      </Tile>
      <Tile
        name="Net gamma"
        note={`$ of delta per +1 %${probability === null ? '' : `; above zero with ${percent(probability, 0)}`}`}
      >
        {dollars(netGex)}
      </Tile>
      <Tile
        name="Gamma flip"
        note={
          isBanded
            ? `${points(Math.round(band.low!))} to ${points(Math.round(band.high!))}, one sd by ${bandSources[props.generation]}`
            : `${distance(flip, spot)} from spot`
        }
      >
        {points(flip)}
      </Tile>
      <Tile name="Call wall" note={`${distance(levels.call_wall, spot)} from spot`}>
        {points(levels.call_wall)}
      </Tile>
      <Tile name="Put wall" note={`${distance(levels.put_wall, spot)} from spot`}>
        {points(levels.put_wall)}
      </Tile>
      <Tile
        name="Expected move, 1 day"
        note={range && `${points(Math.round(range.lower))} to ${points(Math.round(range.upper))}`}
      >
        ±{points(levels.expected_move_1d)}
      </Tile>
      <Tile name="Volatility at the money" note="a year, 30 days out">
        {percent(levels.atm_volatility)}
      </Tile>
      <Tile
        name="Pin strike today"
        note={levels.pin_status === 'ok' ? 'most gamma expiring today' : words(levels.pin_status)}
      >
        {points(levels.pin_strike)}
      </Tile>
    </dl>
  );
}

function Tile({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes['tile']}>
      <dt>{name}</dt>
      <dd className={classes['value']}>{children}</dd>
      <dd className={classes['note']}>{note}</dd>
    </div>
  );
}
