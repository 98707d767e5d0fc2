import { sql } from 'slonik';
import Type from 'typebox';
import { MOST_ITEMS, type StoredNode } from '#queues/flows.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { insertAbsent } from '#src/jobs/submit/insert-jobs.ts';
import type { NewJob } from '#src/jobs/submit/new-job.ts';
import { isDue, newJob, placeContents } from '#src/jobs/submit/submit.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { atPointer } from '#src/lib/json-pointer.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { FlowRow, NodeRow } from './flow-rows.ts';
import { readResults } from './node-results.ts';
import { submissionOf } from './node-submission.ts';
import { fillIn, placesIn } from './references.ts';

/** Jobs of one statement. */
const PAGE = 1_000;

const stateRow = row(Type.Object({ state: Type.String() }));

/**
 * Stores the jobs of a node that has begun, those that are not there yet: one, or one an item. A process that ends here is
 * followed by one that does the same; each place in a flow is taken once. Goes no further once the flow has ended.
 *
 * @throws AppError where the node cannot run: `invalid_payload`, `not_found`, `payload_too_large`, or `unavailable`
 */
export async function submitNode(
  context: Context,
  flow: Pick<FlowRow, 'id' | 'owner' | 'payload'>,
  node: StoredNode,
  { submitted: from }: NodeRow,
): Promise<void> {
  const jobs = await jobsOf(context, flow, node);
  const total = jobs.length;
  await note(context, flow.id, node.name, { total, submitted: from });
  for (let at = from; at < total; at += PAGE) {
    const page = await Promise.all(jobs.slice(at, at + PAGE).map(async (make) => await placeContents(context, make())));
    const made = await insertAbsent(context, page);
    context.metrics.proofline_jobs_submitted_total.inc({ queue: node.queue }, made.length);
    openBroker(context).addLater(made.filter(isDue));
    await note(context, flow.id, node.name, { total, submitted: Math.min(total, at + PAGE) });
    const state = await context.db.oneFirst(sql.type(stateRow)`select state from jobs where id = ${flow.id}`);
    if (state !== 'waiting') return;
  }
}

async function note(
  { db }: Context,
  flow: string,
  name: string,
  { total, submitted }: { readonly total: number; readonly submitted: number },
): Promise<void> {
  await db.query(sql.unsafe`
    update flow_nodes set total = ${total}, submitted = ${submitted} where flow = ${flow} and name = ${name} and state = 'running'`);
}

/** Makes each job of a node when it is called; all are checked before the first is stored. */
async function jobsOf(
  context: Context,
  { id, owner, payload: flow }: Pick<FlowRow, 'id' | 'owner' | 'payload'>,
  node: StoredNode,
): Promise<readonly (() => NewJob)[]> {
  const registry = registryOf(context);
  const queue = await registry.find(node.queue, node.version);
  if (!queue || registry.ownerOf(node.queue) !== owner)
    throw new AppError(
      'not_found',
      `expected a queue of yours, got ${node.queue}@${node.version}, which is not there.`,
    );
  const { for_each: each, name } = node;
  const referred = placesIn(node.payload).flatMap((place) => (place.kind === 'from' ? [place.node] : []));
  const results = await readResults(context, id, flow, each ? [...referred, each.$from] : referred);
  const items = each ? itemsOf(name, atPointer(results.get(each.$from), each.path ?? '')) : [undefined];
  const now = new Date();
  return await inTurns([...items.entries()], ([place, item]) => {
    const payload = fillIn(node.payload, { results, item });
    const submission = submissionOf(node, { owner, keyId: flow.key_id }, payload, now);
    // what the node is about is said by the flow: a key of the contract would take a place from it
    const job = { ...newJob(queue, { ...submission, parentId: id, place: { node: name, item: place } }), unique: null };
    return () => job;
  });
}

function itemsOf(node: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value))
    throw new AppError(
      'invalid_payload',
      `for_each of the node ${node}: expected an array, got ${value === null || value === undefined ? 'nothing' : typeof value}.`,
      { node },
    );
  if (value.length <= MOST_ITEMS) return value;
  throw new AppError(
    'payload_too_large',
    `for_each of the node ${node}: expected at most ${MOST_ITEMS} items, got ${value.length}.`,
    {
      node,
      limit: MOST_ITEMS,
    },
  );
}
