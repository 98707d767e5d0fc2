import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { StoredFlow } from '#queues/flows.ts';
import { JobError } from '#src/jobs/model/job.ts';
import type { State } from '#src/jobs/model/states.ts';
import { row } from '#src/system/postgres/postgres.ts';

export const nodeStates = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type NodeState = (typeof nodeStates)[number];

const Instant = Type.Union([Type.Unsafe<Date>({}), Type.Null()]);

/** A node as Postgres has it. */
const NodeRow = Type.Object({
  name: Type.String(),
  state: Type.Unsafe<NodeState>({ enum: [...nodeStates] }),
  /** Number of its jobs; null before that is known. */
  total: Type.Union([Type.Integer(), Type.Null()]),
  /** Number of its jobs that are stored. */
  submitted: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
  error: Type.Union([JobError, Type.Null()]),
  beganAt: Instant,
  endedAt: Instant,
});
export type NodeRow = Static<typeof NodeRow>;

/** The nodes of a flow in an order in which they may run; none before it has begun. */
export async function readNodes(db: CommonQueryMethods, flow: string): Promise<readonly NodeRow[]> {
  return await db.any(sql.type(row(NodeRow))`
    select name, state, total, submitted, succeeded, failed, cancelled, error, began_at as "beganAt", ended_at as "endedAt"
    from flow_nodes where flow = ${flow} order by n`);
}

const FlowRow = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  queue: Type.String(),
  state: Type.Unsafe<State>({}),
  /** One more with each redrive. */
  dispatch: Type.Integer(),
  parentId: Type.Union([Type.String(), Type.Null()]),
  awaited: Type.Boolean(),
  payload: Type.Unsafe<StoredFlow>({}),
});
export type FlowRow = Static<typeof FlowRow>;

/** Reads a flow, locked until the caller's transaction ends; null for none. */
export async function lockFlow(tx: CommonQueryMethods, id: string): Promise<FlowRow | null> {
  return await tx.maybeOne(sql.type(row(FlowRow))`
    select id, owner, queue, state, dispatch, parent_id as "parentId", awaited, payload from jobs where id = ${id} for update`);
}

/** Change of a node, as the stream of its flow has it. */
export interface NodeEvent {
  readonly node: string;
  readonly state: NodeState;
  readonly jobs?: number;
  readonly error?: JobError;
}

/** Writes events of a flow whose row the caller has locked. */
export async function tellNodes(tx: CommonQueryMethods, flow: string, events: readonly NodeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(sql.unsafe`
    with counted as (
      update jobs set events = events + ${events.length} where id = ${flow} returning events - ${events.length} as before
    )
    insert into events (job, n, type, data)
    select ${flow}, c.before + e.n, 'node', e.data::jsonb
    from counted c, unnest(${sql.array(
      events.map((event) => JSON.stringify(event)),
      'text',
    )}) with ordinality as e (data, n)`);
}
