import { type CommonQueryMethods, sql } from 'slonik';
import Type from 'typebox';
import { MOST_CONTENT_BYTES } from '#queues/define.ts';
import type { StoredFlow } from '#queues/flows.ts';
import type { JobError } from '#src/jobs/model/job.ts';
import { isTerminal, moves } from '#src/jobs/model/states.ts';
import { startWaitingFor } from '#src/jobs/wake/start-dependents.ts';
import { wakeParents } from '#src/jobs/wake/wake.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { countEnds, recount } from './count-ends.ts';
import { type FlowRow, lockFlow, type NodeRow, tellNodes } from './flow-rows.ts';
import { payloadMeter } from './measure-payload.ts';
import { measureResults, readResults } from './node-results.ts';
import { fillIn, placesIn } from './references.ts';
import { takeRoom } from './storing-room.ts';

/** Characters of the reason of a job in that of its flow. */
const MOST_REASON = 1_000;

const failedRow = row(Type.Object({ id: Type.String(), message: Type.String() }));
const nameRow = row(Type.Object({ name: Type.String() }));

type End = { readonly result: string } | { readonly error: JobError };

/**
 * Ends a flow all of whose nodes have ended, with its result; answers false while other flows have the room for results.
 *
 * @throws AppError `unavailable`, `content_lost`
 */
export async function succeedFlow(context: Context, flow: FlowRow): Promise<boolean> {
  const end = await resultOf(context, flow);
  if (!end) return false;
  await settle(context, flow, end);
  return true;
}

/** Ends a flow that a node has failed, once none of its jobs is under way any more. */
export async function failFlow(context: Context, flow: FlowRow, nodes: readonly NodeRow[]): Promise<void> {
  const broken = flow.payload.nodes.find(({ name, on_failure: policy }) => {
    const state = nodes.find((one) => one.name === name)?.state;
    return policy === 'fail' && (state === 'failed' || state === 'cancelled');
  });
  const node = nodes.find(({ name }) => name === broken?.name);
  const first = node && !node.error ? await firstFailed(context, flow.id, node.name) : null;
  const counts = `${node?.failed ?? 0} of its jobs failed and ${node?.cancelled ?? 0} were cancelled.`;
  const why = node?.error?.message ?? (first ? `${counts} The job ${first.id}: ${first.message}` : counts);
  const message = `The node ${broken?.name ?? 'of the flow'} did not succeed: ${why} Mend its cause, then redrive the flow: what succeeded is kept.`;
  await settle(context, flow, {
    error: { code: 'dependency_failed', message, details: { node: broken?.name ?? null, job: first?.id ?? null } },
  });
}

/** The first job of a node that failed, with its reason as a sentence. */
async function firstFailed({ db }: Context, flow: string, node: string) {
  const found = await db.maybeOne(sql.type(failedRow)`
    select id, coalesce(error->>'message', '') as message from jobs
    where parent_id = ${flow} and flow_node = ${node} and flow_item is not null and state = 'failed'
    order by flow_item limit 1`);
  if (!found) return null;
  const message = found.message.slice(0, MOST_REASON).toWellFormed();
  return { id: found.id, message: /[.!?]$/.test(message) ? message : `${message}.` };
}

async function resultOf(context: Context, { id, payload: flow }: FlowRow): Promise<End | null> {
  const template = flow.result === undefined ? lastOf(flow) : flow.result;
  const names = placesIn(template).flatMap((place) => (place.kind === 'from' ? [place.node] : []));
  try {
    using room = takeRoom(context, await measureResults(context, id, names));
    if (!room) return null;
    const results = await readResults(context, id, flow, names);
    payloadMeter(template, results, tooLarge)(null);
    return { result: JSON.stringify(fillIn(template, { results }) ?? null) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payload_too_large')) throw error;
    return { error: { code: error.code, message: error.message, details: error.details } };
  }
}

const tooLarge = () =>
  new AppError(
    'payload_too_large',
    `The result of the flow has more than ${MOST_CONTENT_BYTES} bytes of JSON: say in "result" what of it is needed.`,
    { limit_bytes: MOST_CONTENT_BYTES },
  );

/** The result of a flow that says none: those of the nodes that no other depends on, by their names. */
function lastOf({ nodes }: StoredFlow): unknown {
  const before = new Set(nodes.flatMap(({ depends_on: others }) => others));
  return Object.fromEntries(nodes.flatMap(({ name }) => (before.has(name) ? [] : [[name, { $from: name }]])));
}

/** Once: what ended the flow first counts. */
async function settle(context: Context, { id }: FlowRow, end: End): Promise<void> {
  const ended = await context.db.transaction(async (tx) => {
    const flow = await lockFlow(tx, id);
    if (flow?.state !== 'waiting') return null;
    const { name } = flow.payload;
    const [text, error] = 'result' in end ? [end.result, null] : [null, end.error];
    const cancelled = error === null ? [] : await endRunning(tx, id);
    await countEnds(tx, id);
    await recount(tx, id, cancelled);
    await tellNodes(
      tx,
      id,
      cancelled.map((node) => ({ node, state: 'cancelled' })),
    );
    await tx.query(sql.unsafe`
      with ended as (
        update jobs set state = ${error === null ? moves.finish.to : moves.abandon.to}, result = ${text}::jsonb,
          error = ${error && JSON.stringify(error)}::jsonb, finished_at = now(), events = events + 1
        where id = ${id} returning id, events, state
      )
      insert into events (job, n, type, data)
      select id, events, state, ${JSON.stringify({ ...(name !== null && { name }), ...(error !== null && { error }) })}::jsonb from ended`);
    return flow;
  });
  if (!ended) return;
  const outcome = 'result' in end ? 'succeeded' : 'failed';
  context.metrics.proofline_jobs_finished_total.inc({ queue: ended.queue, outcome });
  await wakeParents(context, [ended.parentId]);
  if (ended.awaited) await startWaitingFor(context, id);
}

/** Nodes that the flow ended before their own jobs had. */
async function endRunning(tx: CommonQueryMethods, flow: string): Promise<readonly string[]> {
  return await tx.anyFirst(sql.type(nameRow)`
    update flow_nodes set state = 'cancelled', ended_at = now() where flow = ${flow} and state = 'running' returning name`);
}

/** Counts the jobs of a flow that has ended which ended behind it, or were redriven by hand. */
export async function countRest(context: Context, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const flow = await lockFlow(tx, id);
    // one that was redriven meanwhile begins with counts of its own
    if (flow && isTerminal(flow.state)) await countEnds(tx, id);
  });
}

/** Ends the nodes of a flow that was cancelled: one that is left as if it ran would be looked at for ever. */
export async function endNodes(tx: CommonQueryMethods, flow: string): Promise<void> {
  await tx.query(sql.unsafe`
    update flow_nodes set state = case state when 'running' then 'cancelled' else 'skipped' end, ended_at = now()
    where flow = ${flow} and state in ('pending', 'running')`);
}
