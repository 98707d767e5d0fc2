import { CopyButton } from '@mantine/core';
import { useMemo, useState } from 'react';
import classes from './json-view.module.css';

/** Longer texts make the page slow: the rest is shown when it is wanted. */
const most = 100_000;

/** Data as it is, for people who know it. */
export function JsonView({ value, what }: { readonly value: unknown; readonly what: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'null', [value]);
  const [isAll, setAll] = useState(false);
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
        {isAll ? text : text.slice(0, most)}
        {!isAll && text.length > most && '…'}
      </pre>
      {!isAll && text.length > most && (
        <button type="button" className={classes['rest']} onClick={() => setAll(true)}>
          Show all<span className="only-heard"> of the {what}</span>: {(text.length - most).toLocaleString('en')} more
          characters
        </button>
      )}
    </div>
  );
}
