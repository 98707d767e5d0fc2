import { StateBadge } from '#console/ui/states/state-badge.tsx';
import type { Run } from './schedule.ts';

/** Outcome of a time of a schedule: the state of its job, or why there is none. */
export function RunOutcome({ run: { outcome, job_state: state } }: { readonly run: Run }) {
  if (outcome === 'submitted') return <StateBadge state={state ?? 'submitted'} />;
  return <StateBadge state={outcome} tone={outcome === 'refused' ? 'bad' : 'ask'} />;
}
