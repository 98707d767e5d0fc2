import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Action } from '#src/jobs/model/action-states.ts';
import type { State } from '#src/jobs/model/states.ts';
import { hasText } from '#src/jobs/read/search-jobs.ts';

const Instant = Type.String();

/** Jobs that an action is about, as its row has them: nothing in it depends on the time at which it is read. */
export const Selection = Type.Object({
  states: Type.Array(Type.Unsafe<State>({ type: 'string' })),
  /** Without one every owner's. */
  owner: Type.Optional(Type.String()),
  /** Queues that the caller may act on; without them every queue. */
  queues: Type.Optional(Type.Array(Type.String())),
  parent: Type.Optional(Type.String()),
  group: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.String()),
  createdAfter: Type.Optional(Instant),
  createdBefore: Type.Optional(Instant),
  text: Type.Optional(Type.String()),
  /** False: none that a person had to allow. */
  isApproved: Type.Optional(Type.Literal(false)),
});
export type Selection = Static<typeof Selection>;

const none = sql.fragment`true`;

/** Writes a selection as a condition on a row `j`, with what the action itself asks of a job. */
export function selected(
  { states, owner, queues, parent, group, errorCode, createdAfter, createdBefore, text, isApproved }: Selection,
  { action, priority }: { readonly action: Action; readonly priority: number | null },
) {
  return sql.fragment`
    j.state = any(${sql.array(states, 'text')})
    and ${owner === undefined ? none : sql.fragment`j.owner = ${owner}`}
    and ${queues === undefined ? none : sql.fragment`j.queue = any(${sql.array(queues, 'text')})`}
    and ${parent === undefined ? none : sql.fragment`j.parent_id = ${parent}`}
    and ${group === undefined ? none : sql.fragment`j.group_key = ${group}`}
    and ${errorCode === undefined ? none : sql.fragment`j.error->>'code' = ${errorCode}`}
    and ${createdAfter === undefined ? none : sql.fragment`j.created_at >= ${createdAfter}::timestamptz`}
    and ${createdBefore === undefined ? none : sql.fragment`j.created_at < ${createdBefore}::timestamptz`}
    and ${text === undefined ? none : hasText(text)}
    and ${isApproved === undefined ? none : sql.fragment`j.approval_id is null`}
    and ${action === 'reprioritise' ? sql.fragment`j.priority <> ${priority}` : none}`;
}
