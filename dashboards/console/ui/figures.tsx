import type { ReactNode } from 'react';
import classes from './figures.module.css';

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Below the value, smaller: of what, since when. */
  readonly note?: ReactNode;
}

/** The few numbers that matter, large. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ name, value, note }) => (
        <div key={name} className={classes['figure']}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && <div className={classes['note']}>{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
