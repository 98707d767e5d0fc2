import type { ReactNode } from 'react';
import classes from './figures.module.css';

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Below the value, smaller: of what, since when. */
  readonly note?: ReactNode;
  readonly tone?: 'bad';
}

interface Props {
  readonly figures: readonly Figure[];
  /** Within a panel, which has a frame already. */
  readonly isPlain?: boolean;
}

/** The few numbers that matter, large. */
export function Figures({ figures, isPlain = false }: Props) {
  return (
    <dl className={classes['figures']} data-plain={isPlain || undefined}>
      {figures.map(({ name, value, note, tone }) => (
        <div key={name} className={classes['figure']}>
          <dt>{name}</dt>
          <dd data-tone={tone}>
            {value}
            {note !== undefined && <div className={classes['note']}>{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
