import { useQueryClient } from '@tanstack/react-query';
import { callKey, useChange } from '#console/api/use-call.ts';
import type { Mission } from '#console/pages/missions/parts/mission.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { formatMoney } from '#console/ui/money.tsx';

/** Starts a mission, after saying what that means. */
export function ExecuteMission({ of }: { readonly of: Mission }) {
  const client = useQueryClient();
  const path = { id: of.missionId };
  const execute = useChange('POST /api/v1/missions/{id}/execute', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/v1/missions/{id}', { path }) }),
  );
  const { steps, costUsd, unmapped } = of.plan;
  const humanSteps = steps.filter(({ policy }) => policy.decision === 'human').map(({ id }) => id);
  return (
    <ConfirmButton
      label="Execute"
      question="Execute this mission?"
      variant="filled"
      icon={<Icon name="play" />}
      act={() => execute.mutateAsync({ path, headers: { prefer: 'respond-async' }, body: {} })}
    >
      <p>
        {steps.length === 1 ? 'One step runs' : `${steps.length} steps run`}, for about {formatMoney(costUsd)}
        {of.budgetUsd !== null && `, and never for more than ${formatMoney(of.budgetUsd)}`}.
      </p>
      <p>
        {humanSteps.length === 0
          ? 'All of it only reads and computes: no human is asked, and nothing outside changes.'
          : `It stops before ${humanSteps.join(', ')} until you have agreed, with a proof, to exactly what that does.`}
      </p>
      {unmapped.length > 0 && <p>It does not do: {unmapped.map((part) => `“${part}”`).join(', ')}.</p>}
    </ConfirmButton>
  );
}
