import { useQueryClient } from '@tanstack/react-query';
import { call } from '#console/api/client.ts';
import { callKey } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import type { Flow } from './use-flow.ts';

const changes = {
  cancel: {
    route: 'DELETE /v1/flows/{id}',
    label: 'Cancel flow',
    question: 'Cancel this flow?',
    words: 'It ends as cancelled, for good, and so do all of its jobs that have not ended.',
  },
  redrive: {
    route: 'POST /v1/flows/{id}/redrive',
    label: 'Run the rest again',
    question: 'Run the rest of this flow again?',
    words: 'What has succeeded is kept. Every other node, and every other job of a node with many, runs again.',
  },
} as const;

/** A button that cancels a flow, or runs again what of it did not succeed. */
export function ChangeFlow({ flow: { id }, change }: { readonly flow: Flow; readonly change: keyof typeof changes }) {
  const client = useQueryClient();
  const { route, label, question, words } = changes[change];
  const input = { path: { id } };
  return (
    <ConfirmButton
      label={label}
      question={question}
      grave={change === 'cancel'}
      act={async () => {
        client.setQueryData(callKey('GET /v1/flows/{id}', input), await call(route, input));
        await client.invalidateQueries({ queryKey: callKey('GET /v1/flows/{id}', input) });
      }}
    >
      <p>{words}</p>
    </ConfirmButton>
  );
}
