import { type Static, Type } from 'typebox';
import type { Remote } from '#src/jobs/workers/remote-worker.ts';
import { Count, OptionalText, Time } from '#src/lib/validation/schema-parts.ts';

/** A queue with the versions of its contract that a worker is handed. */
export const TakenQueue = Type.Object({
  name: Type.String({ description: 'The queue' }),
  versions: Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Versions of its contract',
  }),
});

/** A live worker elsewhere. */
export const WorkerView = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Names it' }),
    owner: Type.String({ description: 'Owner of the key that registered it' }),
    name: Type.String({ description: 'Where it runs, in its own words' }),
    queues: Type.Array(TakenQueue, { description: 'Queues and versions that it is handed' }),
    capacity: Count('Jobs that it runs at once'),
    credits: Count('Hands it had free when it last asked'),
    running: Count('Jobs it has in hand'),
    sdk: OptionalText('Library and release that it runs on'),
    started_at: Time('When it registered'),
    beat_at: Time('When it was last heard of'),
  },
  { $id: 'WorkerView', title: 'WorkerView', description: 'A live worker elsewhere, and what it has in hand' },
);
export type WorkerView = Static<typeof WorkerView>;

export function workerView({ takes, startedAt, beatAt, ...worker }: Remote): WorkerView {
  return { ...worker, queues: takes, started_at: startedAt.toISOString(), beat_at: beatAt.toISOString() };
}
