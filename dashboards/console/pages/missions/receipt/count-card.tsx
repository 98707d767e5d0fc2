import type { ReactNode } from 'react';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import type { Count } from '#src/receipts/verify/check.ts';
import classes from './count-card.module.css';

const verdicts = {
  pass: ['passes', 'ok'],
  fail: ['fails', 'bad'],
  pending: ['pending', 'ask'],
  'not-checked': ['not checked', 'wait'],
} as const;

interface Props {
  readonly title: string;
  readonly question: string;
  readonly count: Count;
  readonly children?: ReactNode;
}

/** Finding of a receipt's check on one count, and each thing that was examined. */
export function CountCard({ title, question, count: { verdict, reason, checks }, children }: Props) {
  return (
    <article className={classes['card']} data-verdict={verdict} aria-label={title}>
      <header className={classes['head']}>
        <h3>{title}</h3>
        <Verdict of={verdict} />
      </header>
      <span className={classes['question']}>{question}</span>
      <p className={classes['reason']}>{reason}</p>
      {children}
      {checks.length > 0 && (
        <details>
          <summary>
            {checks.length} {checks.length === 1 ? 'check' : 'checks'}
          </summary>
          <ul className={classes['checks']}>
            {checks.map((check) => (
              <li key={check.name}>
                <header className={classes['head']}>
                  <span>{check.name}</span>
                  <Verdict of={check.verdict} />
                </header>
                <p>{check.reason}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function Verdict({ of }: { readonly of: Count['verdict'] }) {
  const [words, tone] = verdicts[of];
  return <StateBadge state={words} tone={tone} />;
}
