import { Button, type ButtonProps, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './confirm-button.module.css';
import { Fault } from './states/fault.tsx';

interface Props {
  /** On the button, and on the one that does it. */
  readonly label: string;
  /** Name of the button for screen readers, where several have the same label. */
  readonly name?: string;
  /** A question, as the title of the dialog. */
  readonly question: string;
  /** Statement of exactly what will happen, and what will not. It may hold fields of the dialog too. */
  readonly children: ReactNode;
  /** Does it; the dialog closes when this is fulfilled, and shows why when it is not. */
  readonly act: () => Promise<unknown>;
  /** Cannot be undone, or stops something. */
  readonly grave?: boolean;
  readonly icon?: ReactNode;
  /** For rows of tables: small, and by its picture alone where the page is narrow. */
  readonly compact?: boolean;
  readonly variant?: ButtonProps['variant'];
  /** True while the dialog still lacks an input. */
  readonly incomplete?: boolean;
}

/** A button for what should not happen by accident: it says first what will happen. */
export function ConfirmButton(props: Props) {
  const { label, name, question, children, act, grave, icon, variant, incomplete, compact } = props;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await act();
      close();
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size={compact ? 'compact-xs' : 'xs'}
        variant={variant ?? 'default'}
        leftSection={icon}
        onClick={() => setOpen(true)}
        aria-label={name ?? label}
        className={classes[compact ? 'compact' : 'opener'] ?? ''}
      >
        {label}
      </Button>
      <Modal opened={open} onClose={close} title={question} closeButtonProps={{ 'aria-label': 'Close' }}>
        <div style={{ fontSize: '0.875rem' }}>{children}</div>
        {error && <Fault error={error} />}
        <Group justify="flex-end" gap="xs" className={classes['foot'] ?? ''}>
          <Button variant="default" onClick={close}>
            Leave it
          </Button>
          <Button
            color={grave ? 'red.8' : 'indigo'}
            loading={busy}
            disabled={incomplete ?? false}
            onClick={() => void run()}
          >
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
