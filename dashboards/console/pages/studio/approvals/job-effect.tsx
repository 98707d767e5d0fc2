import { Link } from 'wouter';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Time } from '#console/ui/time.tsx';
import classes from './effect.module.css';

/** Effect of a job of a registered queue, as its decision is bound to it. */
export interface JobEffect {
  readonly queue: string;
  readonly version: number;
  readonly title: string;
  readonly why: string | null;
  readonly payload: unknown;
  /** Beginning of a payload that is too large to be shown whole. */
  readonly payloadBegins?: string;
  readonly payloadBytes: number;
  readonly payloadSha256: string;
  readonly runAt: string | null;
  readonly budgetUsd: number | null;
  readonly metadata: unknown;
}

/** A job that would run: its queue, its payload, its time and its money. */
export function RunningJob({ effect, subject }: { readonly effect: JobEffect; readonly subject: string }) {
  const { queue, version, title, payload, payloadBegins, payloadBytes, payloadSha256, runAt, budgetUsd, metadata } =
    effect;
  return (
    <>
      <KeyValue
        facts={{
          Runs: <Link href={`/jobs/${subject}`}>this job</Link>,
          Of: (
            <>
              <code>
                {queue}@{version}
              </code>
              : {title}
            </>
          ),
          'Asked because': effect.why,
          'Costs at most': budgetUsd !== null && <strong>{formatMoney(budgetUsd)}</strong>,
          'Not before': runAt && <Time at={runAt} />,
          'Payload, SHA-256': <code title={payloadSha256}>{payloadSha256.slice(0, 12)}…</code>,
        }}
      />
      {payloadBegins === undefined ? (
        <JsonView value={payload} what="payload" />
      ) : (
        <>
          <p>The payload has {payloadBytes.toLocaleString('en')} bytes; this is its beginning:</p>
          <pre className={classes['words']}>{payloadBegins}</pre>
        </>
      )}
      {metadata !== null && <JsonView value={metadata} what="metadata" />}
    </>
  );
}
