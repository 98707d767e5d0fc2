import { Link } from 'wouter';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Time } from '#console/ui/time.tsx';
import { usePayload } from './use-payload.ts';
import { WholePayload } from './whole-payload.tsx';

/** Effect of a job of a registered queue, as its decision is bound to it. */
export interface JobEffect {
  readonly queue: string;
  readonly version: number;
  readonly title: string;
  readonly why: string | null;
  readonly payload: unknown;
  /** Beginning of a payload that is too large for the effect itself; the page loads the rest. */
  readonly payloadBegins?: string;
  readonly payloadBytes: number;
  readonly payloadSha256: string;
  readonly runAt: string | null;
  readonly budgetUsd: number | null;
  readonly metadata: unknown;
}

/** A job that would run: its queue, its payload, its time and its money. */
export function RunningJob({ approval }: { readonly approval: Pick<Approval, 'kind' | 'subject' | 'effect'> }) {
  const effect = approval.effect as unknown as JobEffect;
  const { queue, version, title, payloadBytes, payloadSha256, runAt, budgetUsd, metadata } = effect;
  const payload = usePayload(approval);
  return (
    <>
      <KeyValue
        facts={{
          Runs: <Link href={`/jobs/${approval.subject}`}>this job</Link>,
          Of: (
            <>
              <code>
                {queue}@{version}
              </code>
              : {title}
            </>
          ),
          'Asked because': effect.why,
          'Costs at most': budgetUsd === null ? null : <strong>{formatMoney(budgetUsd)}</strong>,
          'Not before': runAt && <Time at={runAt} />,
          'Payload, SHA-256': <code>{payloadSha256}</code>,
        }}
      />
      <WholePayload payload={payload} sha256={payloadSha256} bytes={payloadBytes} />
      {metadata !== null && <JsonView value={metadata} what="metadata" />}
    </>
  );
}
