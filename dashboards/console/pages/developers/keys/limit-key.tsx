import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { Fault } from '#console/ui/states/fault.tsx';
import { KeyFields } from './key-fields.tsx';
import { addressesOf, bareAddress, faultsOf, type KeyDraft } from './key-form.ts';
import type { Key } from './key-state.ts';

/** Changes the name of a key, what it may do, and from where. */
export function LimitKey({ of }: { readonly of: Key }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<KeyDraft>(draftOf(of));
  const [tried, setTried] = useState(false);
  const change = useChange('PATCH /api/v1/keys/{id}', () => {
    void client.invalidateQueries({ queryKey: callKey('GET /api/v1/keys') });
    void client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/keys/{id}/usage', { path: { id: of.id } }) });
    setOpen(false);
  });
  const begin = () => {
    setDraft(draftOf(of));
    setTried(false);
    change.reset();
    setOpen(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faultsOf(draft)).length > 0) return;
    change.mutate({
      path: { id: of.id },
      body: { name: draft.name.trim(), scopes: [...draft.scopes], allowedIps: addressesOf(draft) },
    });
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        Limit
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={`What “${of.name}” may do`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <KeyFields draft={draft} faults={tried ? faultsOf(draft) : {}} onChange={setDraft} />
            {change.isError && <Fault error={change.error} />}
            <Group justify="space-between" gap="xs">
              <span className="quiet">Counts everywhere within 5 seconds.</span>
              <Group gap="xs">
                <Button variant="default" onClick={() => setOpen(false)}>
                  Cancel
                </Button>
                <Button type="submit" loading={change.isPending}>
                  Save
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

function draftOf({ name, scopes, allowedIps }: Key): KeyDraft {
  return { name, scopes, addresses: allowedIps.map(bareAddress).join('\n') };
}
