import { Type } from 'typebox';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { FleetView, fleetView, QueueView, queueView } from '#src/http/views/operations-view.ts';
import { WorkerView, workerView } from '#src/http/views/worker-view.ts';
import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import { readFleets } from '#src/jobs/figures/fleet-figures.ts';
import { readQueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import { versionStatuses } from '#src/jobs/figures/version-figures.ts';
import { mayKnow } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { listRemote } from '#src/jobs/workers/remote-worker.ts';
import { freshAnswer } from '#src/lib/async/fresh-answer.ts';
import { Count } from '#src/lib/validation/schema-parts.ts';
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
    if (!contract || !mayKnow(context, owner, one.queue)) return [];
    const versions = versionStatuses(context, one, workersOf);
    return [queueView(contract, one, pauses.get(one.queue), workersOf(one.queue), versions)];
  });
}

export async function readFleetViews(context: Context): Promise<FleetView[]> {
  return (await readFleets(context)).map(fleetView);
}

/** Status of queues, fleets and workers elsewhere together. */
export interface Operations {
  readonly at: string;
  readonly whose: 'all' | 'own';
  readonly queues: readonly QueueView[];
  /** For operators alone. */
  readonly fleets: readonly FleetView[] | null;
  readonly workers: Workers;
}

/** Live workers elsewhere: of an owner, or of all. */
interface Workers {
  readonly total: number;
  /** The oldest {@link MOST_WORKERS}. */
  readonly list: readonly WorkerView[];
}

/** An event is the whole: what a thousand workers say of themselves would be half a megabyte every second. */
const MOST_WORKERS = 200;

/** The type of its one event. */
export const operationsType = 'operations';

/** Channel on which the figures of an owner's jobs are published, or those of all jobs (null). */
export function operationsChannel({ REDIS_PREFIX }: Context['config'], owner: string | null): string {
  return owner === null ? `${REDIS_PREFIX}:operations` : `${REDIS_PREFIX}:operations:${owner}`;
}

/** The figures of an owner's jobs and workers, or of everybody's and the fleets (null). */
export async function readOperations(context: Context, owner: string | null): Promise<Operations> {
  const at = new Date().toISOString();
  const [queues, fleets, remote] = await Promise.all([
    readQueues(context, owner),
    owner === null ? readFleetViews(context) : null,
    listRemote(context, owner),
  ]);
  const workers = { total: remote.length, list: remote.slice(0, MOST_WORKERS).map(workerView) };
  return { at, whose: owner === null ? 'all' : 'own', queues, fleets, workers };
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
    'The figures at once, then whenever they change, at most every second. An operator sees everybody’s jobs and workers and the fleets, anyone else their own jobs and workers. There is no cursor: each event is the whole state.',
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
        workers: Type.Object(
          {
            total: Count('How many there are'),
            list: Type.Array(Type.Object(WorkerView.properties), {
              maxItems: MOST_WORKERS,
              description: `The oldest ${MOST_WORKERS}; GET /v1/workers has all`,
            }),
          },
          { description: 'Live workers elsewhere: all for an operator, their own for anyone else' },
        ),
      }),
    },
  },
};
