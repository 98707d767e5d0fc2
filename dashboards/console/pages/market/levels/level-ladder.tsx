import { usePalette } from '#console/ui/charts/use-palette.ts';
import { Panel } from '#console/ui/panel.tsx';
import { distance, points, words } from '#src/lib/charts/figures.ts';
import type { NamedLevel } from '#src/lib/charts/named-levels.ts';
import classes from './level-ladder.module.css';

interface Props {
  readonly levels: readonly NamedLevel[];
  readonly spot: number | null;
  /** Reason why flips were not found, or the status when they were. */
  readonly status: string | null;
}

const missing: Readonly<Record<string, string>> = {
  none_in_range: 'Net gamma does not change its sign within 15 % of spot, so there is no flip.',
  tangent: 'Net gamma touches zero without crossing it, so there is no flip.',
  degraded_chain: 'Too much of the chain cannot be used to tell a flip.',
};

/** Every level from high to low, with spot among them. */
export function LevelLadder({ levels, spot, status }: Props) {
  const palette = usePalette();
  return (
    <Panel title="Levels" aside="points, and from spot">
      {status !== null && status !== 'ok' && <p className={classes['missing']}>{missing[status] ?? words(status)}</p>}
      <ol className={classes['ladder']} aria-label="Levels, highest first">
        {levels.map(({ name, level, tone, line, meaning }) => (
          <li key={`${name} ${level}`} className={classes['rung']} data-spot={tone === 'spot'}>
            <span
              className={classes['mark']}
              style={{ borderColor: palette[tone], borderTopStyle: line }}
              aria-hidden="true"
            />
            <span className={classes['name']}>{name}</span>
            <span className={classes['level']}>{points(level)}</span>
            <span className={classes['meaning']}>{meaning}</span>
            <span className={classes['distance']}>{tone === 'spot' ? '' : distance(level, spot)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
