import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { callKey, useCall, useChange } from '#console/api/use-call.ts';
import type { Approval, Channel, Envelope, StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';

/** Actions on a job now: stop it, or request it once more. */
export function JobActions({ job }: { readonly job: StudioJob }) {
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(job.status);
  return <Group gap="xs">{isOver ? <RunAgain job={job} /> : <Cancel job={job} />}</Group>;
}

function Cancel({ job: { id, kind } }: { readonly job: StudioJob }) {
  const client = useQueryClient();
  const cancel = useChange('DELETE /v1/jobs/{id}', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/jobs/{id}', { path: { id } }) }),
  );
  return (
    <ConfirmButton
      label={kind === 'publish' ? 'Cancel the publication' : 'Cancel the render'}
      question="Cancel it?"
      act={() => cancel.mutateAsync({ path: { id } })}
      icon={<Icon name="close" size={13} />}
      grave
    >
      <p>
        What runs is stopped, and what has not begun does not begin. What calls have cost so far stays spent, and what
        they made stays kept. Its approval is used up: running it again takes another.
      </p>
    </ConfirmButton>
  );
}

/** Its approval is used up, so again means: the same effect, requested anew. */
function RunAgain({ job: { kind, approvalRef, planId = null } }: { readonly job: StudioJob }) {
  const [, go] = useLocation();
  const approval = useCall(
    'GET /api/studio/v1/approvals/{id}',
    { path: { id: approvalRef ?? '' } },
    { enabled: approvalRef !== null },
  );
  const onAsked = ({ output }: Envelope) => go(`/studio/approvals/${(output['approval'] as Approval).id}`);
  const render = useChange('POST /api/studio/v1/render', onAsked);
  const publish = useChange('POST /api/studio/v1/publish', onAsked);
  const effect = approval.data?.effect;
  if (!effect || planId === null) return null;
  const ask = async () => {
    if (kind === 'publish') {
      const channels = [...(effect['channels'] as readonly Channel[])];
      await publish.mutateAsync({ body: { planId, channels, dryRun: true } });
      return;
    }
    const maxCostUsd = Number(effect['maxCostUsd']);
    await render.mutateAsync({ body: { planId, dryRun: true, ...(maxCostUsd > 0 && { maxCostUsd }) } });
  };
  return (
    <ConfirmButton
      label={kind === 'publish' ? 'Publish again' : 'Render again'}
      question="Ask for it again?"
      act={ask}
      icon={<Icon name="again" size={13} />}
    >
      <p>
        An approval allows one run. This asks for another one of exactly the same effect; nothing runs before it is
        decided.
      </p>
    </ConfirmButton>
  );
}
