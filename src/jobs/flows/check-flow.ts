import type { QueueContract } from '#queues/define.ts';
import { delayFault, delayMs } from '#queues/delay.ts';
import type { NodeBody, NodeOptions, StoredFlow, StoredNode } from '#queues/flows.ts';
import { misfit } from '#queues/misfit.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { partialMisfit } from '#src/jobs/registry/schema/partial-misfit.ts';
import { newJob } from '#src/jobs/submit/submit.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { inTurns } from '#src/lib/async/in-turns.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { submissionOf } from './node-submission.ts';
import { assertNode, orderNodes } from './order-nodes.ts';
import { assertReferences, type Place, placesIn, withoutLiterals } from './references.ts';
import { mayFit, schemaAt, typesOf } from './schema-at.ts';
import { wrong } from './wrong.ts';

/** A flow as a caller submits it. */
export interface FlowRequest {
  readonly name?: string;
  readonly nodes: readonly NodeBody[];
  readonly result?: unknown;
}

/** The most of a flow, as JSON. */
const MOST_BYTES = 4_194_304;

/** One schema for all: each is compiled once. */
const anything = {};

interface Checked {
  readonly node: StoredNode;
  readonly queue: QueueContract;
}

/**
 * Checks a flow before anything of it runs: its nodes, their queues, their payloads as far as they are known, and the
 * types of what they refer to, where both contracts say them.
 *
 * @throws AppError `invalid_request` with the place, `not_found` for a queue that is not the caller's, `invalid_payload`
 */
export async function checkFlow(
  context: Context,
  principal: Pick<Principal, 'owner' | 'keyId'>,
  { name, nodes, result }: FlowRequest,
): Promise<StoredFlow> {
  for (const { payload } of nodes) assertShallow(payload);
  assertShallow(result);
  // many nodes together take long: others are let in
  await inTurns([...nodes.entries()], ([index, { payload }]) => assertReferences(payload, `nodes.${index}.payload`));
  assertReferences(result, 'result');
  const places = new Map(nodes.map((node, index) => [node.name, index]));
  const checked = new Map<string, Checked>();
  const found: (Checked & { readonly field: string })[] = [];
  for (const { node, dependsOn } of orderNodes(nodes)) {
    const field = `nodes.${places.get(node.name)}`;
    const queue = await assertOwnQueue(context, principal, node.queue, node.version, `body.${field}.queue`);
    const { options, ...rest } = node;
    const stored = {
      on_failure: 'fail' as const,
      ...rest,
      ...(options && { options: storedOptions(options, field) }),
      version: queue.version,
      depends_on: [...dependsOn],
    };
    found.push({ field, node: stored, queue });
  }
  await inTurns(found, ({ field, node, queue }) => {
    checkPayload(field, node, queue, principal, checked);
    checked.set(node.name, { node, queue });
  });
  for (const { kind, at, ...place } of placesIn(result)) {
    if (kind === 'item' || !('node' in place)) throw wrong(`result${at}`, 'references to nodes, got one to an item');
    assertNode(checked, place.node, `result${at}`);
    sourceSchema(checked, place, `result${at}`);
  }
  const flow = {
    name: name ?? null,
    nodes: [...checked.values()].map(({ node }) => node),
    ...(result !== undefined && { result }),
    key_id: principal.keyId,
  };
  const size = Buffer.byteLength(JSON.stringify(flow));
  if (size > MOST_BYTES) throw wrong('nodes', `at most ${MOST_BYTES} bytes of JSON in all, got ${size}`);
  return flow;
}

/** Options as they are stored: a delay in milliseconds, however it was written. @throws AppError `invalid_request` */
function storedOptions({ delay, ...options }: NodeOptions, field: string): NonNullable<StoredNode['options']> {
  const fault = delayFault({ ...options, ...(delay !== undefined && { delay }) });
  if (fault !== null) throw wrong(`${field}.options.delay`, fault);
  return delay === undefined ? options : { ...options, delay_ms: delayMs({ delay }) ?? 0 };
}

function checkPayload(
  field: string,
  node: StoredNode,
  queue: QueueContract,
  principal: Pick<Principal, 'owner' | 'keyId'>,
  before: ReadonlyMap<string, Checked>,
): void {
  const places = placesIn(node.payload);
  const items = node.for_each && itemSchema(before, node.for_each, `${field}.for_each`);
  for (const place of places) checkPlace(field, place, queue, items, before);
  // what cannot be known before it runs is checked when it begins; all else of its jobs is checked now
  const payload = withoutLiterals(node.payload);
  const wrongPart =
    places.length === 0
      ? misfit(queue.payload, payload)
      : partialMisfit(
          queue.payload,
          payload,
          places.map(({ at }) => at),
        );
  if (wrongPart)
    throw wrong(`${field}.payload${wrongPart.path}`, `what fits the contract of ${queue.name}: ${wrongPart.message}`);
  newJob(
    places.length === 0 ? queue : { ...queue, payload: anything },
    submissionOf(node, principal, payload, new Date()),
  );
}

function checkPlace(
  field: string,
  place: Place,
  queue: QueueContract,
  items: ReturnType<typeof schemaAt> | undefined,
  before: ReadonlyMap<string, Checked>,
): void {
  const at = `${field}.payload${place.at}`;
  if (place.kind === 'item' && items === undefined) throw wrong(at, 'no $item in a node without for_each');
  const source = place.kind === 'item' ? schemaAt(items, place.path) : sourceSchema(before, place, at);
  if (source === false) throw wrong(at, `a place that items have, got ${JSON.stringify(place.path)}`);
  const target = schemaAt(queue.payload, place.at);
  if (mayFit(source, target)) return;
  const [got, wanted] = [typesOf(source), typesOf(target)];
  throw wrong(
    at,
    `${wanted?.join(' or ') ?? 'nothing there'} for ${queue.name}, got a reference to ${got?.join(' or ') ?? 'something else'}`,
  );
}

/** Schema of what a reference gives. @throws AppError `invalid_request` where the contract has nothing at that place */
function sourceSchema(
  before: ReadonlyMap<string, Checked>,
  { node: name, path = '' }: { readonly node: string; readonly path?: string },
  field: string,
): ReturnType<typeof schemaAt> {
  const source = before.get(name);
  const result = source?.queue.result ?? {};
  const whole = source?.node.for_each ? { type: 'array', items: result } : result;
  const found = schemaAt(whole, path);
  if (found === false)
    throw wrong(
      field,
      `a place in the result of ${name}, got ${JSON.stringify(path)}, which its contract does not have`,
    );
  // a node that failed and is passed over gives null
  return source?.node.on_failure === 'continue' ? true : found;
}

function itemSchema(
  before: ReadonlyMap<string, Checked>,
  { $from, path }: NonNullable<StoredNode['for_each']>,
  field: string,
): ReturnType<typeof schemaAt> {
  const list = sourceSchema(before, { node: $from, ...(path !== undefined && { path }) }, field);
  const types = typesOf(list);
  if (types && !types.includes('array')) throw wrong(field, `an array, got ${types.join(' or ')}`);
  return schemaAt(list, '/0');
}
