import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';

interface Props {
  readonly title: string;
  /** Beside the title: a state, a symbol. */
  readonly beside?: ReactNode;
  /** A sentence below the title. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

let opened = 0;

/** A page: its title in the window and at the top, what can be done with all of it, and its content. */
export function Page({ title, beside, lead, actions, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    opened += 1;
    // who goes from page to page by keyboard or by ear begins at the new page; the first one begins at its top
    if (opened > 1) heading.current?.focus({ preventScroll: false });
  }, []);
  return (
    <div className={classes['page']}>
      <title>{`${title} · Proofline`}</title>
      <header className={classes['head']}>
        <div className={classes['words']}>
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {beside}
          </Group>
          {lead !== undefined && <div className={classes['lead']}>{lead}</div>}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </div>
  );
}
