import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from '#console/ui/icon.tsx';
import classes from './code-block.module.css';

interface Props {
  readonly code: string;
  /** Name of the code, for screen readers and on the button that copies it: `command`. */
  readonly what: string;
  /** Breaks long lines; commands and data, where how they are broken says nothing. */
  readonly wraps?: boolean;
}

/** Text for a terminal or a file, exactly as it is, and the button that takes it along. */
export function CodeBlock({ code, what, wraps = false }: Props) {
  return (
    <div className={classes['block']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre className={classes['text']} data-wraps={wraps} tabIndex={0} role="region" aria-label={what}>
        {code}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : `Copy the ${what}`}>
              <ActionIcon size="sm" onClick={copy} aria-label={copied ? 'Copied' : `Copy the ${what}`}>
                <Icon name={copied ? 'check' : 'copy'} size={14} />
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
