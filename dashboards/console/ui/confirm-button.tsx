import { Button, type ButtonProps, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Fault } from './fault.tsx';

interface Props {
  /** On the button, and on the one that does it. */
  readonly label: string;
  /** A question, as the title of the dialog. */
  readonly question: string;
  /** What exactly will happen, and what will not. A function where the dialog has fields of its own. */
  readonly children: ReactNode;
  /** Does it; the dialog closes when this is fulfilled, and shows why when it is not. */
  readonly act: () => Promise<unknown>;
  /** Cannot be undone, or stops something. */
  readonly grave?: boolean;
  readonly icon?: ReactNode;
  readonly variant?: ButtonProps['variant'];
  /** Whether what the dialog asks for is not there yet. */
  readonly incomplete?: boolean;
}

/** A button for what should not happen by accident: it says first what will happen. */
export function ConfirmButton({ label, question, children, act, grave, icon, variant, incomplete }: Props) {
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
      <Button variant={variant ?? 'default'} leftSection={icon} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={open} onClose={close} title={question} closeButtonProps={{ 'aria-label': 'Close' }}>
        <div style={{ fontSize: '0.875rem' }}>{children}</div>
        {error && <Fault error={error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
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
