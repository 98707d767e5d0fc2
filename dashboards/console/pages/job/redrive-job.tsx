import { Radio } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import type { Job, Timeline } from './use-job.ts';

interface Props {
  readonly job: Job;
  readonly effects: Timeline['effects'];
}

type Found = 'send_again' | 'assume_done';

/** Puts a failed job back; where the outcome of an effect is unknown, a person says first what they found. */
export function RedriveJob({ job: { id, queue }, effects }: Props) {
  const client = useQueryClient();
  const [found, setFound] = useState<Found | null>(null);
  const unknown = effects.filter(({ state }) => state === 'unknown').map(({ effect }) => effect);
  const input = { path: { id } };
  return (
    <ConfirmButton
      label="Redrive"
      question="Put this job back into its queue?"
      icon={<Icon name="again" size={13} />}
      incomplete={unknown.length > 0 && found === null}
      act={async () => {
        const body = found === null ? null : { unknown_effects: found };
        const job = await call('POST /v1/jobs/{id}/redrive', { ...input, body });
        client.setQueryData(callKey('GET /v1/jobs/{id}', input), job);
        await client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}/timeline', input) });
      }}
    >
      <p>
        It waits in <strong>{queue}</strong> again, with all of its attempts, under the same id. What it did outside
        before is known, and not done twice.
      </p>
      {unknown.length > 0 && (
        <Radio.Group
          label={`It is not known whether ${unknown.join(', ')} took effect. Look at the provider: what did you find?`}
          value={found}
          onChange={(value) => setFound(value)}
        >
          <Radio mt="xs" value="send_again" label="It did not happen: send it again" />
          <Radio mt="xs" value="assume_done" label="It happened: do not send it" />
        </Radio.Group>
      )}
    </ConfirmButton>
  );
}
