import { useLocation } from 'wouter';
import { useChange } from '#console/api/use-call.ts';
import type { Approval, Channel, Envelope, StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Effect } from './effect.tsx';

/** Starts what a granted approval allows; it can be used once. Nothing for one that is not granted, or was used. */
export function UseApproval({ approval }: { readonly approval: Approval }) {
  const { id, kind, status, subject, effect, jobId } = approval;
  const [, go] = useLocation();
  const onStarted = ({ output }: Envelope) => go(`/studio/jobs/${(output['job'] as StudioJob).id}`);
  const render = useChange('POST /api/studio/v1/render', onStarted);
  const publish = useChange('POST /api/studio/v1/publish', onStarted);
  if (status !== 'granted' || jobId !== null) return null;
  // the same request again is the same job, whatever became of the first answer
  const headers = { 'idempotency-key': `console-${id}` };
  const start = async () => {
    if (kind === 'render') {
      const maxCostUsd = Number(effect['maxCostUsd']);
      const ceiling = maxCostUsd > 0 ? { maxCostUsd } : {};
      await render.mutateAsync({ headers, body: { planId: subject, dryRun: false, approvalRef: id, ...ceiling } });
      return;
    }
    await publish.mutateAsync({
      headers,
      body: {
        ...publishedOf(approval),
        channels: [...(effect['channels'] as readonly Channel[])],
        dryRun: false,
        approvalRef: id,
      },
    });
  };
  return (
    <ConfirmButton
      label={kind === 'render' ? 'Render now' : 'Publish now'}
      question={kind === 'render' ? 'Render it now?' : 'Publish it now?'}
      act={start}
      variant="filled"
      icon={<Icon name="play" size={13} />}
    >
      <p>This happens once, exactly as it was allowed:</p>
      <Effect approval={approval} />
    </ConfirmButton>
  );
}

/** One asset is named itself; several are all that their plan has made. */
function publishedOf({ subject, effect }: Approval): { assetId: string } | { planId: string } {
  const assets = effect['assets'] as readonly { readonly id: string }[];
  const [only] = assets;
  return only && assets.length === 1 ? { assetId: only.id } : { planId: subject };
}
