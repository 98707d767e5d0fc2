import type { ReactNode } from 'react';
import classes from './key-value.module.css';

/** Facts about one thing, each with its name; those without a value are left out. */
export function KeyValue({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={classes['facts']}>
      {Object.entries(facts).map(([name, value]) =>
        value === null || value === undefined ? null : (
          <div key={name} className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
