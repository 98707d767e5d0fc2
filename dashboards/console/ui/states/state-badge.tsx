import classes from './state-badge.module.css';

/** Colours of states; the word is beside it, so colour alone says nothing. */
const tones = {
  awaiting_approval: 'ask',
  pending: 'ask',
  queued: 'wait',
  planned: 'wait',
  delayed: 'wait',
  held: 'wait',
  paused: 'ask',
  running: 'busy',
  waiting: 'wait',
  suspended: 'wait',
  executing: 'busy',
  succeeded: 'ok',
  completed: 'ok',
  approved: 'ok',
  active: 'ok',
  anchored: 'ok',
  live: 'ok',
  failed: 'bad',
  rejected: 'bad',
  declined: 'bad',
  revoked: 'bad',
  expired: 'bad',
  cancelled: 'wait',
  idle: 'wait',
  released: 'wait',
  intended: 'busy',
  done: 'ok',
  unknown: 'ask',
} as const;

type Tone = 'ask' | 'wait' | 'busy' | 'ok' | 'bad';

/** A state of anything: a job, a mission, an approval, a key. */
export function StateBadge({ state, tone }: { readonly state: string; readonly tone?: Tone }) {
  const known = (tones as Readonly<Record<string, Tone>>)[state];
  return (
    <span className={classes['badge']} data-tone={tone ?? known ?? 'wait'}>
      {state.replaceAll('_', ' ')}
    </span>
  );
}
