import { MOST_ITEMS, type StoredNode } from '#queues/flows.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { insertOfFlow } from '#src/jobs/submit/insert-jobs.ts';
import type { NewJob } from '#src/jobs/submit/new-job.ts';
import { isDue, newJob, placeContents } from '#src/jobs/submit/submit.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { atPointer } from '#src/lib/json-pointer.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import type { FlowRow, NodeRow } from './flow-rows.ts';
import { readResults } from './node-results.ts';
import { submissionOf } from './node-submission.ts';
import { fillIn, placesIn } from './references.ts';

/** Jobs of one statement. */
const PAGE = 1_000;

type Flow = Pick<FlowRow, 'id' | 'owner' | 'dispatch' | 'payload'>;

/** Stores the next jobs of a node. */
export type StorePage = (row: Pick<NodeRow, 'submitted'>) => Promise<void>;

/**
 * Makes the jobs of a node that has begun: one, or one an item. All are checked before the first is stored; then they are
 * stored page by page, so that the flow can be looked at in between. A process that ends in the middle is followed by one
 * that makes the same again; each place in a flow is taken once, and none once the flow has ended.
 *
 * @throws AppError where the node cannot run: `invalid_payload`, `not_found`, `payload_too_large`, or `unavailable`
 */
export async function openNode(context: Context, flow: Flow, node: StoredNode): Promise<StorePage> {
  const jobs = await jobsOf(context, flow, node);
  const total = jobs.length;
  return async ({ submitted: from }) => {
    const to = Math.min(total, from + PAGE);
    const page = await Promise.all(jobs.slice(from, to).map(async (job) => await placeContents(context, job)));
    const { id, dispatch } = flow;
    const made = await insertOfFlow(context, page, { flow: id, dispatch, node: node.name, total, submitted: to });
    context.metrics.proofline_jobs_submitted_total.inc({ queue: node.queue }, made.length);
    openBroker(context).addLater(made.filter(isDue));
  };
}

async function jobsOf(
  context: Context,
  { id, owner, payload: flow }: Flow,
  node: StoredNode,
): Promise<readonly NewJob[]> {
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
  const now = await databaseNow(context)();
  return await inTurns([...items.entries()], ([place, item]) => {
    const payload = fillIn(node.payload, { results, item });
    const submission = submissionOf(node, { owner, keyId: flow.key_id }, payload, now);
    // what the node is about is said by the flow: a key of the contract would take a place from it
    return { ...newJob(queue, { ...submission, parentId: id, place: { node: name, item: place } }), unique: null };
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
