import { type FragmentSqlToken, sql } from 'slonik';
import { clean, isDecided, isOfEndedFlow } from '#src/jobs/change/redrive.ts';
import type { Action } from '#src/jobs/model/action-states.ts';
import { moves, type State } from '#src/jobs/model/states.ts';
import type { ActionRow } from './action-row.ts';

/** A verb over many rows `j`, in one statement. */
export interface Verb {
  /** Changes of the row beside its state. */
  readonly set: FragmentSqlToken;
  /** State that it moves a job to; null: it leaves the state as it is. */
  readonly to: State | null;
  readonly event: string;
  /** Members of the event beside who did it. */
  readonly data: object;
  /** Code of why a job that fits cannot be moved; null where it can. */
  readonly refusal: FragmentSqlToken;
}

const none = sql.fragment`null::text`;
const ended = sql.fragment`finished_at = now(), worker_id = null, held = false`;

/** Codes of what the verb for one job refuses as well. */
const notRedriven = sql.fragment`
  case when ${isOfEndedFlow} then 'flow_ended' when ${isDecided} then 'decided' when j.gate = 'reserved' then 'settling' when j.receipt = 'sealed' then 'sealed'
    when exists (select from effects e where e.job = j.id and e.state = 'unknown') then 'unknown_effects' end`;

const verbs: Readonly<Record<Action, (priority: number, by: string) => Verb>> = {
  cancel: () => ({ set: ended, to: moves.cancel.to, event: 'cancelled', data: {}, refusal: none }),
  expire: (_priority, by) => ({
    set: sql.fragment`${ended}, error = ${JSON.stringify({
      code: 'cancelled',
      message: `The job had not begun when ${by} let it expire.`,
      details: { reason: 'expired' },
    })}::jsonb`,
    to: moves.cancel.to,
    event: 'cancelled',
    data: { reason: 'expired' },
    refusal: none,
  }),
  // many at once stand in line, each behind those of its group: the feeder sees to it
  redrive: () => ({
    set: sql.fragment`${clean}, feed = 'ready'`,
    to: moves.redrive.to,
    event: 'redriven',
    data: {},
    refusal: notRedriven,
  }),
  reprioritise: (priority) => ({
    // one that is in its queue gets another place there: its entry of before is no longer claimed
    set: sql.fragment`
      priority = ${priority}, dispatch = j.dispatch + case when j.state = 'queued' and not j.held then 1 else 0 end,
      feed = case when j.state = 'queued' and j.feed = 'fed' then 'ready' else j.feed end`,
    to: null,
    event: 'reprioritised',
    data: { priority },
    refusal: none,
  }),
};

/** The verb of an action. */
export function verbOf({ action, priority, madeBy }: Pick<ActionRow, 'action' | 'priority' | 'madeBy'>): Verb {
  return verbs[action](priority ?? 0, madeBy);
}
