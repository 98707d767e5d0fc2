import type { StreamState } from '#console/api/events.ts';
import { StateBadge } from './state-badge.tsx';

const words = {
  opening: ['Connecting', 'ask'],
  live: ['Live', 'ok'],
  lost: ['Not live, connecting again', 'bad'],
  ended: ['Ended', 'wait'],
} as const;

/** Mark that shows whether the page follows events. */
export function Live({ state }: { readonly state: StreamState }) {
  const [word, tone] = words[state];
  return (
    <span role="status">
      <StateBadge state={word} tone={tone} />
    </span>
  );
}
