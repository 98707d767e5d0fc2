import { useQueryClient } from '@tanstack/react-query';
import { callKey, useChange } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import type { Key } from './key-state.ts';

/** Ends a key for good. */
export function RevokeKey({ of }: { readonly of: Key }) {
  const client = useQueryClient();
  const revoke = useChange('DELETE /api/v1/keys/{id}', () => {
    void client.invalidateQueries({ queryKey: callKey('GET /api/v1/keys') });
    void client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/keys/{id}/usage', { path: { id: of.id } }) });
  });
  return (
    <ConfirmButton
      label="Revoke"
      question={`Revoke “${of.name}”?`}
      grave
      act={() => revoke.mutateAsync({ path: { id: of.id } })}
    >
      Every program that uses it is refused within 5 seconds, and what it has open closes. This cannot be taken back.
      What was made with it stays yours, and jobs that run go on.
    </ConfirmButton>
  );
}
