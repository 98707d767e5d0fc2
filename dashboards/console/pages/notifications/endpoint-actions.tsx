import { Button, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import type { Endpoint } from './draft.ts';

/** Ways to test an endpoint, to switch it on and off, and to remove it. */
export function EndpointActions({ of }: { readonly of: Endpoint }) {
  const client = useQueryClient();
  // with its deliveries, which go when it is removed
  const renew = async () => {
    await client.invalidateQueries({ queryKey: callKey('GET /v1/webhook-endpoints') });
    await client.invalidateQueries({ queryKey: callKey('GET /v1/webhook-deliveries') });
  };
  const path = { id: of.id };
  const change = useChange('PATCH /v1/webhook-endpoints/{id}', renew);
  const remove = useChange('DELETE /v1/webhook-endpoints/{id}', renew);
  return (
    <>
      <TestEndpoint of={of} />
      <Button
        size="compact-xs"
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate({ path, body: { enabled: !of.enabled } })}
        aria-label={`${of.enabled ? 'Disable' : 'Enable'} ${of.title}`}
      >
        {of.enabled ? 'Disable' : 'Enable'}
      </Button>
      <ConfirmButton
        label="Remove"
        name={`Remove ${of.title}`}
        question={`Remove “${of.title}”?`}
        grave
        compact
        icon={<Icon name="close" size={14} />}
        act={() => remove.mutateAsync({ path })}
      >
        It is notified of nothing any more, and its deliveries are removed with it.
      </ConfirmButton>
    </>
  );
}

function TestEndpoint({ of }: { readonly of: Endpoint }) {
  const [open, setOpen] = useState(false);
  const test = useChange('POST /v1/webhook-endpoints/{id}/test', () => {});
  const begin = () => {
    setOpen(true);
    test.mutate({ path: { id: of.id } });
  };
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={test.isPending}
        onClick={begin}
        aria-label={`Test ${of.title}`}
      >
        Test
      </Button>
      <Modal
        opened={open && !test.isPending}
        onClose={() => setOpen(false)}
        title={`A message to “${of.title}”`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {test.isError && <Fault error={test.error} />}
        {test.data && (
          <Text fz="sm" role="status">
            {test.data.delivered
              ? `It was taken in ${test.data.took_ms.toLocaleString()} ms.`
              : `It was not taken: ${test.data.error ?? 'the receiver did not say why.'}`}
          </Text>
        )}
        {test.data && test.data.answer !== '' && (
          <Text fz="sm" mt="sm" className="mono quiet">
            {test.data.answer}
          </Text>
        )}
      </Modal>
    </>
  );
}
