import { Burger } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { Icon } from '#console/ui/icon.tsx';
import { Account } from './account.tsx';
import classes from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Wordmark } from './wordmark.tsx';

/** Frame of every page: the link past it, the navigation, and the account. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#main">
        Skip to the page
      </a>
      <header className={classes['top']}>
        <Link href="/" className={classes['home']} aria-label="Proofline, overview">
          <Wordmark />
        </Link>
        <Burger
          className={classes['burger']}
          opened={open}
          size="sm"
          onClick={() => setOpen(!open)}
          aria-label={open ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={open}
          aria-controls="navigation"
        />
      </header>
      <div id="navigation" className={classes['side']} data-open={open}>
        <Navigation onGo={() => setOpen(false)} />
        <div className={classes['foot']}>
          <a className={classes['away']} href="/verify">
            <Icon name="verify" /> Verify a receipt
          </a>
          <Account />
        </div>
      </div>
      <main id="main" className={classes['main']} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
