import { type Duration, milliseconds } from './duration.ts';
import { type JobHandle, jobHandle } from './handle.ts';
import type { JobType } from './queues.ts';
import { type Connection, request } from './request.ts';
import { type Approval, type Budget, termsBody } from './terms.ts';

/** Stands in a payload for the result of another node, or a place in it by a JSON pointer. */
export interface NodeReference {
  readonly $from: string;
  readonly path?: string;
}

/** Jobs of one queue, and what they wait for. */
export interface FlowNode {
  /** Name of it, once in the flow. */
  readonly name: string;
  readonly queue: string | JobType<never>;
  readonly version?: number;
  /** May hold {@link NodeReference}s, and `{ $item: pointer }` in a fan-out. */
  readonly payload: unknown;
  /** Nodes that have to end before it begins, beside those that it refers to. */
  readonly dependsOn?: readonly string[];
  /** Fate of the flow where it does not succeed: it fails (the default), goes on, or passes over the nodes behind it. */
  readonly onFailure?: 'fail' | 'continue' | 'skip';
  /** Array of the result of a node: one job an item, up to 100,000. */
  readonly forEach?: NodeReference;
  readonly priority?: number;
  readonly group?: string;
  /** Pause before its jobs may run. */
  readonly delay?: Duration;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly approval?: Approval | true;
  readonly budget?: Pick<Budget, 'jobUsd'>;
  readonly receipt?: boolean;
}

/** Jobs that follow each other. */
export interface Flow {
  readonly name?: string;
  readonly nodes: readonly FlowNode[];
  /** Result, with references to nodes; without it those of the nodes that no other depends on, by name. */
  readonly result?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Receiver that is notified of its end: an address, or one of your endpoints. */
  readonly webhook?: { readonly url: string } | { readonly endpoint: string };
}

export interface FlowOptions {
  /** The same key gives the same flow. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** Submits a flow: all of it, or nothing. Its handle is that of a job: result, events, cancel. */
export async function submitFlow<Result>(
  connection: Connection,
  { name, nodes, result, metadata, webhook }: Flow,
  { idempotencyKey = crypto.randomUUID(), signal }: FlowOptions,
): Promise<JobHandle<Result>> {
  const body = {
    ...(name !== undefined && { name }),
    nodes: nodes.map(nodeBody),
    ...(result !== undefined && { result }),
    ...(metadata && { metadata }),
    ...(webhook && { webhook }),
  };
  const { text } = await request(connection, {
    method: 'POST',
    path: '/v1/flows',
    text: JSON.stringify(body),
    headers: { 'idempotency-key': idempotencyKey },
    signal,
  });
  return jobHandle<Result>(connection, (JSON.parse(text) as { readonly id: string }).id);
}

function nodeBody({
  queue: job,
  version: wanted,
  dependsOn,
  onFailure,
  forEach,
  priority,
  group,
  delay,
  metadata,
  approval,
  budget,
  receipt,
  ...node
}: FlowNode): Readonly<Record<string, unknown>> {
  const {
    name: queue,
    version,
  }: Pick<JobType<never>, 'name' | 'version'> = typeof job === 'string' ? { name: job } : job;
  const options = {
    ...(priority !== undefined && { priority }),
    ...(group !== undefined && { group }),
    ...(delay !== undefined && { delay_ms: milliseconds(delay) }),
    ...(metadata && { metadata }),
    ...termsBody({
      ...(approval !== undefined && { approval }),
      ...(budget && { budget }),
      ...(receipt !== undefined && { receipt }),
    }),
  };
  return {
    ...node,
    queue,
    ...((wanted ?? version) !== undefined && { version: wanted ?? version }),
    ...(dependsOn && { depends_on: dependsOn }),
    ...(onFailure && { on_failure: onFailure }),
    ...(forEach && { for_each: forEach }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}
