import { useQueryClient } from '@tanstack/react-query';
import { call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import type { Job } from './use-job.ts';

/** The consequence of a cancellation for a job that has begun, by its state. */
const words: Readonly<Record<string, string>> = {
  running: 'Its worker gets a signal to stop. What it has done outside by then stays done, and is paid for.',
  waiting: 'What it waits for will not wake it. What it has done so far stays done; its child jobs go on.',
};

export function CancelJob({ job: { id, queue, state } }: { readonly job: Job }) {
  const client = useQueryClient();
  const input = { path: { id } };
  return (
    <ConfirmButton
      label="Cancel job"
      question="Cancel this job?"
      grave
      act={async () => {
        client.setQueryData(callKey('GET /v1/jobs/{id}', input), await call('DELETE /v1/jobs/{id}', input));
        await client.invalidateQueries({ queryKey: callKey('GET /v1/jobs/{id}/timeline', input) });
      }}
    >
      <p>
        The job of <strong>{queue}</strong> ends as cancelled, for good.{' '}
        {words[state] ?? 'It has not been started, or is to be tried again; it will not be started.'}
      </p>
    </ConfirmButton>
  );
}
