import type { ReactNode } from 'react';
import classes from './figures.module.css';

interface Figure {
  readonly name: string;
  readonly value: ReactNode;
  /** Below it, small. */
  readonly more?: ReactNode;
  readonly tone?: 'bad';
}

/** A few numbers that matter, side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ name, value, more, tone }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={classes['value']} data-tone={tone}>
            {value}
          </dd>
          {more !== undefined && <dd className={classes['more']}>{more}</dd>}
        </div>
      ))}
    </dl>
  );
}
