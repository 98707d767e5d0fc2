import { type CommonQueryMethods, sql } from 'slonik';
import { isTerminal } from '#src/jobs/model/states.ts';
import { openProgress } from '#src/jobs/run/progress.ts';
import { AppError, isRetryable } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { cancelRest, hasUnfinished } from './cancel-rest.ts';
import { countEnds, recount } from './count-ends.ts';
import { type Decision, decideNodes, type NodeChange } from './decide-nodes.ts';
import { countRest, endNodes, failFlow, succeedFlow } from './end-flow.ts';
import { type FlowRow, lockFlow, type NodeRow, readNodes, tellNodes } from './flow-rows.ts';
import { type OpenNode, openNode } from './submit-node.ts';
import { unfoldFlow } from './unfold-flow.ts';

interface Look {
  readonly flow: FlowRow;
  readonly rows: readonly NodeRow[];
  readonly next: Decision['next'] | 'clear' | 'over';
}

/**
 * Moves a flow on as far as the ends of its jobs let it: begins nodes, ends them, and it. All that is known of a flow is
 * in rows, so that this may be called whenever something may have happened, and again after it died anywhere. Between two
 * pages of jobs it looks again: a failure, a cancellation or the end of another node does not wait for the last page.
 * Answers `later` where it could go on, but other flows have the room for that.
 *
 * @throws what Postgres fails with while it is away, `unavailable`
 */
export async function advanceFlow(context: Context, id: string, signal?: AbortSignal): Promise<'later' | 'done'> {
  const opened = new Map<string, OpenNode>();
  try {
    return await advance(context, id, opened, signal);
  } finally {
    for (const node of opened.values()) node[Symbol.dispose]();
  }
}

async function advance(
  context: Context,
  id: string,
  opened: Map<string, OpenNode>,
  signal: AbortSignal | undefined,
): Promise<'later' | 'done'> {
  while (!signal?.aborted) {
    const look = await context.db.transaction(async (tx) => await lookAt(tx, id));
    if (!look) return 'done';
    const { flow, rows, next } = look;
    showCounts(context, id, rows);
    if (next === 'over') {
      // in one that succeeded nothing is left but what was redriven by hand
      if (flow.state !== 'succeeded') await cancelRest(context, id);
      await countRest(context, id);
      return 'done';
    }
    if (next === 'clear') {
      await cancelRest(context, id);
      continue;
    }
    if (next === 'stop') {
      await cancelRest(context, id);
      await failFlow(context, flow, rows);
      return 'done';
    }
    if (next === 'end') return (await succeedFlow(context, flow)) ? 'done' : 'later';
    const begun = rows.filter(({ state, total, submitted }) => state === 'running' && (total ?? 1) > submitted);
    if (begun.length === 0) return 'done';
    let isBlocked = true;
    for (const row of begun) if (await storePage(context, flow, row, opened)) isBlocked = false;
    if (isBlocked) return 'later';
  }
  return 'done';
}

/** Counts what has ended, and writes what follows of that; null where there is no such flow any more. */
async function lookAt(tx: CommonQueryMethods, id: string): Promise<Look | null> {
  const flow = await lockFlow(tx, id);
  if (!flow) {
    await tx.query(sql.unsafe`delete from flow_ends where flow = ${id}`);
    return null;
  }
  if (isTerminal(flow.state)) {
    await endNodes(tx, id);
    return { flow, rows: [], next: 'over' };
  }
  if (flow.state === 'queued') {
    // cancelled and redriven at once: what was under way ends first, else it would run beside its successor
    if (flow.dispatch > 1 && (await hasUnfinished(tx, id))) return { flow, rows: [], next: 'clear' };
    await unfoldFlow(tx, flow);
  }
  await countEnds(tx, id);
  const { nodes } = flow.payload;
  let rows = await readNodes(tx, id);
  let decision = decideNodes(nodes, rows);
  // by hand a job may be run again, and end twice: a node ends by what its jobs say
  const ending = decision.changes.flatMap(({ name, state }) =>
    state === 'succeeded' || state === 'failed' || state === 'cancelled' ? [name] : [],
  );
  if (await recount(tx, id, ending)) {
    rows = await readNodes(tx, id);
    decision = decideNodes(nodes, rows);
  }
  await write(tx, id, decision.changes, rows);
  return { flow, rows: decision.changes.length > 0 ? await readNodes(tx, id) : rows, next: decision.next };
}

async function write(
  tx: CommonQueryMethods,
  flow: string,
  changes: readonly NodeChange[],
  rows: readonly NodeRow[],
): Promise<void> {
  if (changes.length === 0) return;
  const texts = (values: readonly string[]) => sql.array([...values], 'text');
  await tx.query(sql.unsafe`
    update flow_nodes n set state = c.state,
      began_at = case when c.state = 'running' then now() else n.began_at end,
      ended_at = case when c.state = 'running' then null else now() end
    from unnest(${texts(changes.map(({ name }) => name))}, ${texts(changes.map(({ state }) => state))}) as c (name, state)
    where n.flow = ${flow} and n.name = c.name`);
  const totals = new Map(rows.map(({ name, total }) => [name, total]));
  await tellNodes(
    tx,
    flow,
    changes.map(({ name, state }) => {
      const jobs = totals.get(name) ?? null;
      return { node: name, state, ...(jobs !== null && { jobs }) };
    }),
  );
}

/**
 * Stores the next jobs of a node; one that cannot have any fails, and the flow goes on as it says. Answers false where
 * others have the room for it.
 */
async function storePage(
  context: Context,
  flow: FlowRow,
  row: NodeRow,
  opened: Map<string, OpenNode>,
): Promise<boolean> {
  const stored = flow.payload.nodes.find(({ name }) => name === row.name);
  if (!stored) throw new Error(`expected the node ${row.name} in the flow ${flow.id}, which has none of that name`);
  const close = () => {
    opened.get(row.name)?.[Symbol.dispose]();
    opened.delete(row.name);
  };
  try {
    const node = opened.get(row.name) ?? (await openNode(context, flow, stored, row.submitted > 0));
    if (!node) return false;
    opened.set(row.name, node);
    if ((await node.store(row)) !== 'more') close();
  } catch (error) {
    close();
    if (!(error instanceof AppError) || isRetryable(error)) throw error;
    await failNode(context, flow, row, error);
  }
  return true;
}

async function failNode(
  context: Context,
  flow: FlowRow,
  row: NodeRow,
  { code, message, details }: AppError,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const now = await lockFlow(tx, flow.id);
    if (now?.state !== 'waiting') return;
    await tx.query(sql.unsafe`
      update flow_nodes set state = 'failed', error = ${JSON.stringify({ code, message, details })}::jsonb, ended_at = now()
      where flow = ${flow.id} and name = ${row.name} and state = 'running'`);
    await tellNodes(tx, flow.id, [{ node: row.name, state: 'failed', error: { code, message } }]);
  });
}

/** Tells followers how far the nodes with many jobs are. */
function showCounts(context: Context, id: string, rows: readonly NodeRow[]): void {
  const progress = openProgress(context, id);
  for (const { name: node, state, total, submitted, succeeded, failed, cancelled } of rows)
    if (state === 'running' && (total ?? 0) > 1)
      progress(`node ${node}`, { node, total, submitted, succeeded, failed, cancelled });
}
