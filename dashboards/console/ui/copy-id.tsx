import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icon.tsx';

interface Props {
  /** What is copied. */
  readonly value: string;
  /** What it is, for those who hear it: `job id`. */
  readonly what: string;
  /** What is shown; all of it unless told otherwise. */
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
