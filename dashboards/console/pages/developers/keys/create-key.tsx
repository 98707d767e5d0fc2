import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { KeyFields } from './key-fields.tsx';
import { addressesOf, faultsOf, type KeyDraft } from './key-form.ts';
import { NewSecret } from './new-secret.tsx';

const empty: KeyDraft = { name: '', scopes: ['platform.mcp.read'], addresses: '' };

const lifetimes = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];

/** The way to a new key: what it may do, and then its secret, once. */
export function CreateKey() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState(empty);
  const [days, setDays] = useState('90');
  const [tried, setTried] = useState(false);
  const create = useChange('POST /api/v1/keys', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/v1/keys') }),
  );
  const begin = () => {
    setDraft(empty);
    setDays('90');
    setTried(false);
    create.reset();
    setOpen(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faultsOf(draft)).length > 0) return;
    const allowedIps = addressesOf(draft);
    create.mutate({
      body: {
        name: draft.name.trim(),
        scopes: [...draft.scopes],
        ...(days !== '' && { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
        ...(allowedIps.length > 0 && { allowedIps }),
      },
    });
  };
  const made = create.data;
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={begin}>
        Create a key
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={made ? `“${made.name}” is made` : 'Create a key'}
        // a click beside it must not throw away what is shown once
        closeOnClickOutside={!made}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {made ? (
          <NewSecret secret={made.key} onDone={() => setOpen(false)} />
        ) : (
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <KeyFields draft={draft} faults={tried ? faultsOf(draft) : {}} onChange={setDraft} />
              <Select
                label="Expires"
                description="This cannot be changed later."
                data={lifetimes}
                value={days}
                allowDeselect={false}
                onChange={(value) => setDays(value ?? '')}
                maw="14rem"
              />
              {create.isError && <Fault error={create.error} />}
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={() => setOpen(false)}>
                  Cancel
                </Button>
                <Button type="submit" loading={create.isPending}>
                  Create the key
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
