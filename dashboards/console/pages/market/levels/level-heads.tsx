import { usePalette } from '#console/ui/charts/use-palette.ts';
import type { LevelLabel } from '#src/lib/charts/level-labels.ts';
import classes from './level-heads.module.css';

/** Height of a row of labels, pixels. */
const ROW = 16;

/** The names of levels above the lines that mark them; who does not see them has the list of levels beside the chart. */
export function LevelHeads({ labels, left }: { readonly labels: readonly LevelLabel[]; readonly left: number }) {
  const palette = usePalette();
  const rows = 1 + Math.max(0, ...labels.map(({ row }) => row));
  return (
    <div className={classes['heads']} style={{ height: rows * ROW }} aria-hidden="true">
      {labels.map(({ text, first, middle, row }) => (
        <span
          key={text}
          className={classes['head']}
          style={{ left: left + middle, bottom: row * ROW, color: palette[first.tone] }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}
