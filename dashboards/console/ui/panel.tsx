import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel.module.css';

interface Props {
  readonly title: string;
  /** Beside the title, at the other end. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Content that reaches to the edges: tables. */
  readonly flush?: boolean;
}

/** A part of a page with a title of its own. */
export function Panel({ title, aside, children, flush = false }: Props) {
  const id = useId();
  return (
    <section className={classes['panel']} aria-labelledby={id}>
      <header className={classes['head']}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div className={classes['aside']}>{aside}</div>}
      </header>
      <div className={flush ? undefined : classes['body']}>{children}</div>
    </section>
  );
}
