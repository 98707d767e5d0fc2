import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icon.tsx';

interface Props {
  /** Text that is copied. */
  readonly value: string;
  /** Name of the value, for screen readers: `job id`. */
  readonly what: string;
  /** Shown part of the value; all of it by default. */
  readonly shown?: string;
}

/** A name for machines that people carry elsewhere. */
export function CopyId({ value, what, shown = value }: Props) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 4, maxWidth: '100%' }}>
      <span className="mono" style={{ overflowWrap: 'anywhere' }} title={value}>
        {shown}
      </span>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : `Copy the ${what}`}>
            <ActionIcon size="xs" onClick={copy} aria-label={copied ? 'Copied' : `Copy the ${what}`}>
              <Icon name={copied ? 'check' : 'copy'} size={13} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
}
