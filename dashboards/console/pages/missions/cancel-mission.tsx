import { useQueryClient } from '@tanstack/react-query';
import { callKey, useChange } from '#console/api/use-call.ts';
import type { Mission } from '#console/pages/missions/parts/mission.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';

/** Ends a mission that has not ended. */
export function CancelMission({ of }: { readonly of: Mission }) {
  const client = useQueryClient();
  const path = { id: of.missionId };
  const cancel = useChange('DELETE /api/v1/missions/{id}', (mission) => {
    client.setQueryData(callKey('GET /api/v1/missions/{id}', { path }), mission);
  });
  return (
    <ConfirmButton
      label="Cancel the mission"
      question="Cancel this mission?"
      grave
      act={() => cancel.mutateAsync({ path })}
    >
      {of.state === 'planned'
        ? 'Nothing of it has run, and nothing will.'
        : 'Steps that run are stopped, the others will not run. What has happened stays, and the receipt says so.'}
    </ConfirmButton>
  );
}
