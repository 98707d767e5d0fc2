import { CopyButton } from '@mantine/core';
import { useMemo } from 'react';
import classes from './json-view.module.css';

/** Longer texts would make the page slow; all of it can be copied. */
const most = 100_000;

/** Data as it is, for people who know it. */
export function JsonView({ value, what }: { readonly value: unknown; readonly what: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'null', [value]);
  return (
    <div className={classes['place']}>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <button type="button" className={classes['copy']} onClick={copy}>
            {copied ? 'Copied' : `Copy`}
            <span className="only-heard"> the {what}</span>
          </button>
        )}
      </CopyButton>
      {/* what can be scrolled must be reachable by keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes['text']} tabIndex={0} role="region" aria-label={what}>
        {text.slice(0, most)}
        {text.length > most && `\n… ${(text.length - most).toLocaleString()} more characters`}
      </pre>
    </div>
  );
}
