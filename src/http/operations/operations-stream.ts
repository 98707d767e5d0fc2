import { Type } from 'typebox';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { FleetView, fleetView, QueueView, queueView } from '#src/http/views/operations-view.ts';
import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import { readFleets } from '#src/jobs/figures/fleet-figures.ts';
import { readQueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import { mayKnow } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { freshAnswer } from '#src/lib/async/fresh-answer.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** Reads the status of every queue that callers of an owner may know of, for their jobs; of all queues and jobs for null. */
export async function readQueues(context: Context, owner: string | null): Promise<QueueView[]> {
  const [figures, pauses, workersOf] = await Promise.all([
    readQueueFigures(context, owner),
    readPauses(context),
    queueWorkers(context)(),
  ]);
  const registry = registryOf(context);
  return figures.flatMap((one) => {
    const contract = registry.get(one.queue);
    return contract && mayKnow(context, owner, one.queue)
      ? [queueView(contract, one, pauses.get(one.queue), workersOf(one.queue))]
      : [];
  });
}

export async function readFleetViews(context: Context): Promise<FleetView[]> {
  return (await readFleets(context)).map(fleetView);
}

/** Status of queues and fleets together. */
export interface Operations {
  readonly at: string;
  readonly whose: 'all' | 'own';
  readonly queues: readonly QueueView[];
  /** For operators alone. */
  readonly fleets: readonly FleetView[] | null;
}

/** The type of its one event. */
export const operationsType = 'operations';

/** Channel on which the figures of an owner's jobs are published, or those of all jobs (null). */
export function operationsChannel({ REDIS_PREFIX }: Context['config'], owner: string | null): string {
  return owner === null ? `${REDIS_PREFIX}:operations` : `${REDIS_PREFIX}:operations:${owner}`;
}

/** The figures of an owner's jobs, or of everybody's and the fleets (null). */
export async function readOperations(context: Context, owner: string | null): Promise<Operations> {
  const at = new Date().toISOString();
  if (owner !== null) return { at, whose: 'own', queues: await readQueues(context, owner), fleets: null };
  const [queues, fleets] = await Promise.all([readQueues(context, null), readFleetViews(context)]);
  return { at, whose: 'all', queues, fleets };
}

/** Nothing is numbered: each event is the whole state, and the next one replaces it. */
const nowhere: Position = { epoch: 'now', n: 0, ended: false };

const operationsStreams = perContext((context) => ({
  kind: {
    name: 'operations',
    positions: async (keys) => new Map(keys.map((key) => [key, nowhere])),
    ends: () => false,
    current: operationsType,
  } satisfies StreamKind,
  // not one that was read before they came: a change in between would be published before it, and never again
  all: freshAnswer(() => readOperations(context, null)),
}));

/**
 * The stream of the status of queues and fleets. Its caller has checked that an operator requests the one of all
 * owners.
 */
export function operationsStream(context: Context, owner: string | null): StreamSource {
  const { kind, all } = operationsStreams(context);
  return {
    channel: operationsChannel(context.config, owner),
    kind,
    key: owner ?? '',
    replay: async () => [],
    snapshot: async () => ({ ...nowhere, data: await (owner === null ? all() : readOperations(context, owner)) }),
  };
}

/** Description of that stream for `/v1/asyncapi.json`. */
export const operationsStreamDescription: StreamDescription = {
  name: 'operations',
  title: 'Status of queues and fleets',
  description:
    'The figures at once, then whenever they change, at most every second. An operator sees everybody’s jobs and the fleets, anyone else their own jobs. There is no cursor: each event is the whole state.',
  sse: '/v1/operations/events',
  websocket: '/ws/v1/operations',
  parameters: {},
  events: {
    operations: {
      summary: 'The figures as they are now',
      transient: true,
      data: Type.Object({
        at: Type.String({ format: 'date-time', description: 'When they were counted' }),
        whose: Type.Enum(['all', 'own'], { description: 'Owners whose jobs are counted' }),
        queues: Type.Array(Type.Object(QueueView.properties), { description: 'Every queue, as GET /v1/queues has it' }),
        fleets: Type.Union([Type.Array(Type.Object(FleetView.properties)), Type.Null()], {
          description: 'As GET /v1/fleets has them; null for a caller who is no operator',
        }),
      }),
    },
  },
};
