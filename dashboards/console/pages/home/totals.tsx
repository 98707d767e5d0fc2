import { Link } from 'wouter';
import { spell } from '#console/ui/time.tsx';
import classes from './totals.module.css';
import { type Queue, sumOf } from './use-operations.ts';

/** The figures of all queues together. */
export function Totals({ queues }: { readonly queues: readonly Queue[] }) {
  const oldest = Math.max(0, ...queues.map((queue) => queue.oldest_waiting_seconds));
  const failed = queues.reduce((sum, { finished }) => sum + finished.failed, 0);
  const succeeded = queues.reduce((sum, { finished }) => sum + finished.succeeded, 0);
  const paused = queues.filter((queue) => queue.paused !== null).length;
  const decisions = sumOf(queues, 'awaiting_approval');
  return (
    <dl className={classes['totals']}>
      <Total name="Running" value={sumOf(queues, 'running')} note="jobs now" href="/jobs?state=running" />
      <Total
        name="Queued"
        value={sumOf(queues, 'queued')}
        note={oldest > 0 ? `oldest ${spell(oldest)}` : 'none is due'}
        href="/jobs?state=queued"
      />
      <Total name="Waiting" value={sumOf(queues, 'waiting')} note="suspended" href="/jobs?state=waiting" />
      <Total
        name="Decisions"
        value={decisions}
        note="to be made"
        href="/jobs?state=awaiting_approval"
        tone={decisions > 0 ? 'ask' : undefined}
      />
      <Total
        name="Failed"
        value={failed}
        note="in 5 minutes"
        href="/jobs?state=failed"
        tone={failed > 0 ? 'bad' : undefined}
      />
      <Total name="Succeeded" value={succeeded} note="in 5 minutes" href="/jobs?state=succeeded" />
      <Total name="Paused" value={paused} note={`of ${queues.length} queues`} tone={paused > 0 ? 'ask' : undefined} />
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly value: number;
  readonly note: string;
  readonly href?: string;
  readonly tone?: 'ask' | 'bad' | undefined;
}

const number = new Intl.NumberFormat();

function Total({ name, value, note, href, tone }: TotalProps) {
  const figure = number.format(value);
  return (
    <div className={classes['total']} data-tone={tone}>
      <dt>{name}</dt>
      <dd>
        {href === undefined ? (
          <span className={classes['value']}>{figure}</span>
        ) : (
          <Link
            className={classes['value']}
            href={href}
            aria-label={`${figure} ${name.toLowerCase()}, show these jobs`}
          >
            {figure}
          </Link>
        )}
        <span className={classes['note']}>{note}</span>
      </dd>
    </div>
  );
}
