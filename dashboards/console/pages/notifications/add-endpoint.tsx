import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { CodeBlock } from '#console/ui/data/code-block.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { bodyOf, type EndpointDraft, emptyDraft } from './draft.ts';
import { EndpointFields } from './endpoint-fields.tsx';

/** The way to a new endpoint: where, as what, of what; and then its secret, once. */
export function AddEndpoint() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<EndpointDraft>(emptyDraft);
  const add = useChange('POST /v1/webhook-endpoints', () =>
    client.invalidateQueries({ queryKey: callKey('GET /v1/webhook-endpoints') }),
  );
  const begin = () => {
    setDraft(emptyDraft);
    add.reset();
    setOpen(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ body: bodyOf(draft) });
  };
  const made = add.data;
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={begin}>
        Add an endpoint
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={made ? `“${made.title}” is there` : 'Add an endpoint'}
        // a click beside it must not throw away what is shown once
        closeOnClickOutside={!made}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {made ? (
          <Stack gap="md">
            <Text fz="sm">
              <strong>Copy its secret now.</strong> It is shown this once. A receiver checks with it that a message is
              from here; channels of Slack, Discord and Teams and mailboxes need none.
            </Text>
            <CodeBlock what="secret" code={made.secret} wraps />
            <Group justify="flex-end">
              <Button onClick={() => setOpen(false)}>I have copied it</Button>
            </Group>
          </Stack>
        ) : (
          <form onSubmit={submit}>
            <Stack gap="md">
              <EndpointFields draft={draft} onChange={setDraft} />
              {add.isError && <Fault error={add.error} />}
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={() => setOpen(false)}>
                  Cancel
                </Button>
                <Button type="submit" loading={add.isPending}>
                  Add the endpoint
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
