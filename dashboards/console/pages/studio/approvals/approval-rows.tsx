import { Link } from 'wouter';
import type { Approval } from '#console/pages/studio/parts/studio-types.ts';
import { areaWords } from '#console/pages/studio/parts/words.ts';
import { Icon } from '#console/ui/icon.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import classes from './approval-rows.module.css';
import type { JobEffect } from './job-effect.tsx';

/** Approvals, each with what it is for in a line, and the way to decide it. */
export function ApprovalRows({ approvals }: { readonly approvals: readonly Approval[] }) {
  return (
    <ul className={classes['rows']}>
      {approvals.map((approval) => (
        <li key={approval.id}>
          <Link href={`/studio/approvals/${approval.id}`} className={classes['row']}>
            <span className={classes['what']}>{effectLine(approval)}</span>
            <StateBadge state={approval.status} tone={toneOf(approval.status)} />
            <span className={classes['areas']}>
              {approval.areas.map(({ area }) => areaWords[area]).join(' · ')}
              {approval.needsProofOfPersonhood && (
                <span className={classes['proof']}>
                  <Icon name="person" size={13} /> proof of personhood
                </span>
              )}
            </span>
            <span className={classes['when']}>
              {approval.status === 'pending' || approval.status === 'granted' ? (
                <>
                  ends <Ago at={approval.expiresAt} />
                </>
              ) : (
                <Ago at={approval.decidedAt ?? approval.createdAt} />
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Summarises the effect in a line. */
export function effectLine({ kind, effect }: Pick<Approval, 'kind' | 'effect'>): string {
  if (kind === 'job') {
    const { queue, title, budgetUsd } = effect as unknown as JobEffect;
    return `Run ${queue}: ${title}${budgetUsd === null ? '' : `, for at most ${formatMoney(budgetUsd)}`}`;
  }
  if (kind === 'publish') {
    const channels = effect['channels'] as readonly string[] | undefined;
    return `Publish to ${(channels ?? []).map((name) => name.replaceAll('_', ' ')).join(', ')}`;
  }
  const prompt = effect['prompt'] as string;
  return `Render “${prompt.length > 70 ? `${prompt.slice(0, 67).trimEnd()}…` : prompt}” for at most ${formatMoney(Number(effect['maxCostUsd']))}`;
}

const tones = { pending: 'ask', granted: 'ok', declined: 'bad', used: 'wait', expired: 'wait' } as const;

export function toneOf(status: Approval['status']): (typeof tones)[Approval['status']] {
  return tones[status];
}
