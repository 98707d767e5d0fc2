import { StateBadge } from '#console/ui/states/state-badge.tsx';
import type { MissionSummary } from './mission.ts';

const states = {
  planned: ['planned', 'wait'],
  awaiting_human: ['waits for you', 'ask'],
  executing: ['running', 'busy'],
  sealing: ['being sealed', 'busy'],
  sealed: ['sealed', 'ok'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', 'wait'],
} as const;

/** Status of a mission, in a person's words. */
export function MissionState({ of: { state } }: { readonly of: Pick<MissionSummary, 'state'> }) {
  const [words, tone] = states[state];
  return <StateBadge state={words} tone={tone} />;
}
