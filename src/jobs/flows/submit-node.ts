import { MOST_CONTENT_BYTES, type QueueContract } from '#queues/define.ts';
import { MOST_ITEMS, type StoredNode } from '#queues/flows.ts';
import { misfit } from '#queues/misfit.ts';
import { openBroker } from '#src/jobs/broker/broker.ts';
import { fromText, textOf } from '#src/jobs/registry/contract-text.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { insertOfFlow } from '#src/jobs/submit/insert-jobs.ts';
import { isDue, newJob, placeContents } from '#src/jobs/submit/submit.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import { AppError } from '#src/lib/errors.ts';
import { atPointer } from '#src/lib/json-pointer.ts';
import type { Context } from '#src/system/context.ts';
import { databaseNow } from '#src/system/database-now.ts';
import type { FlowRow, NodeRow } from './flow-rows.ts';
import { payloadMeter } from './measure-payload.ts';
import { measureResults, readResults } from './node-results.ts';
import { submissionOf } from './node-submission.ts';
import { fillIn, placesIn } from './references.ts';
import { takeRoom } from './storing-room.ts';

/** Jobs of one statement. */
const PAGE = 1_000;
/** Bytes of payloads of one page: so much text of a flow is in hand, or one payload. */
const PAGE_BYTES = 8_388_608;
/** Bytes of payloads that one node may write in all. */
const NODE_BYTES = 1_073_741_824;

type Flow = Pick<FlowRow, 'id' | 'owner' | 'dispatch' | 'payload'>;

/** A node whose jobs are being stored. Disposed of, its results are no longer in hand. */
export interface OpenNode extends Disposable {
  /** Stores its next jobs: there are `more`, `none`, or more that have to wait while other nodes are stored (`later`). */
  readonly store: (row: Pick<NodeRow, 'submitted'>) => Promise<'more' | 'none' | 'later'>;
}

/**
 * Makes the jobs of a node that has begun: one, or one an item. All are checked and measured before the first is stored;
 * then they are made and stored page by page, so that few are in hand, and the flow can be looked at in between. A
 * process that ends in the middle is followed by one that makes the same again; each place in a flow is taken once, and
 * none once the flow has ended. Null while other flows have the room for results.
 *
 * @throws AppError where the node cannot run: `invalid_payload`, `not_found`, `payload_too_large`, or `unavailable`
 */
export async function openNode(
  context: Context,
  flow: Flow,
  node: StoredNode,
  isLong = false,
): Promise<OpenNode | null> {
  const queue = await queueOf(context, flow, node);
  const { for_each: each, name, payload: template } = node;
  const referred = placesIn(template).flatMap((place) => (place.kind === 'from' ? [place.node] : []));
  const names = each ? [...referred, each.$from] : referred;
  const room = takeRoom(context, await measureResults(context, flow.id, names), isLong);
  if (!room) return null;
  try {
    const results = await readResults(context, flow.id, flow.payload, names);
    const items = each ? itemsOf(name, atPointer(results.get(each.$from), each.path ?? '')) : [undefined];
    const { owner, payload } = flow;
    const submission = submissionOf(node, { owner, keyId: payload.key_id }, null, await databaseNow(context)());
    const make = (item: unknown, place: number) =>
      newJob(queue, {
        ...submission,
        payload: fillIn(template, { results, item }),
        parentId: flow.id,
        place: { node: name, item: place },
      });
    const sizes = await measureAll(
      node,
      items,
      payloadMeter(template, results, () => tooLarge(name)),
      (item, place) => {
        // of a payload that does not fit, a new job says why
        if (place === 0 || misfit(queue.payload, fillIn(template, { results, item }))) make(item, place);
      },
    );
    const total = items.length;
    return {
      store: async ({ submitted: from }) => {
        const to = pageEnd(sizes, from);
        const page = await inTurns([...items.slice(from, to).entries()], ([n, item]) => make(item, from + n));
        const placed = await Promise.all(page.map(async (job) => await placeContents(context, job)));
        const { id, dispatch } = flow;
        const stored = await insertOfFlow(context, placed, { flow: id, dispatch, node: name, total, submitted: to });
        context.metrics.proofline_jobs_submitted_total.inc({ queue: node.queue }, stored.length);
        openBroker(context).addLater(stored.filter(isDue));
        if (to >= total) return 'none';
        return room.lengthen() ? 'more' : 'later';
      },
      [Symbol.dispose]: () => room[Symbol.dispose](),
    };
  } catch (error) {
    room[Symbol.dispose]();
    throw error;
  }
}

/** The contract of a node. What a job of it is about is said by the flow: a key of the contract would take a place from it. */
async function queueOf(context: Context, { owner }: Flow, node: StoredNode): Promise<QueueContract> {
  const registry = registryOf(context);
  const queue = await registry.find(node.queue, node.version);
  if (!queue || registry.ownerOf(node.queue) !== owner)
    throw new AppError(
      'not_found',
      `expected a queue of yours, got ${node.queue}@${node.version}, which is not there.`,
    );
  if (!queue.unique) return queue;
  return fromText({ ...queue, unique: null }, textOf(queue));
}

/** Counts the bytes of each payload, and checks it. @throws AppError `payload_too_large` for too many in all */
async function measureAll(
  { name }: StoredNode,
  items: readonly unknown[],
  measure: (item: unknown) => number,
  check: (item: unknown, place: number) => void,
): Promise<readonly number[]> {
  let all = 0;
  const sizes = await inTurns(items, (item) => {
    const size = measure(item);
    all += size;
    if (all <= NODE_BYTES) return size;
    throw new AppError(
      'payload_too_large',
      `The payloads of the ${items.length} jobs of the node ${name} have more than ${NODE_BYTES} bytes of JSON together: give each job less, such as a name of what it is to read.`,
      { node: name, limit_bytes: NODE_BYTES },
    );
  });
  await inTurns([...items.entries()], ([place, item]) => check(item, place));
  return sizes;
}

const tooLarge = (node: string) =>
  new AppError(
    'payload_too_large',
    `The payload of a job of the node ${node} has more than ${MOST_CONTENT_BYTES} bytes of JSON: refer to less of the results, or let jobs keep them elsewhere, and answer where.`,
    { node, limit_bytes: MOST_CONTENT_BYTES },
  );

/** End of the page that begins at a place: at most so many jobs and bytes, and at least one job. */
function pageEnd(sizes: readonly number[], from: number): number {
  let to = from;
  for (let bytes = 0; to < sizes.length && to < from + PAGE; to++) {
    bytes += sizes[to] ?? 0;
    if (bytes > PAGE_BYTES && to > from) break;
  }
  return to;
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
