import { usePalette } from '#console/ui/charts/use-palette.ts';
import type { Palette } from '#src/lib/charts/palette.ts';
import classes from './legend.module.css';

interface Props {
  /** Meaning of each colour. */
  readonly entries: readonly (readonly [tone: keyof Palette, text: string])[];
  /** The unit of what is drawn. */
  readonly note: string;
}

/** Meaning of a chart's colours, and its unit. */
export function Legend({ entries, note }: Props) {
  const palette = usePalette();
  return (
    <div className={classes['legend']}>
      {entries.map(([tone, text]) => (
        <span key={text} className={classes['entry']}>
          <span className={classes['swatch']} style={{ background: palette[tone] }} aria-hidden="true" />
          {text}
        </span>
      ))}
      <span className={classes['unit']}>{note}</span>
    </div>
  );
}
