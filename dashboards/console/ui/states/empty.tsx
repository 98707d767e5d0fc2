import type { ReactNode } from 'react';
import classes from './empty.module.css';

/** There is nothing to show: why, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={classes['empty']}>
      <p className={classes['title']}>{title}</p>
      {children !== undefined && <div className={classes['more']}>{children}</div>}
    </div>
  );
}
