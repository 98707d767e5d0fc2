import { type Static, Type } from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { fleetsOf } from '#queues/fleets.ts';
import type { Pause } from '#src/jobs/broker/queue-pauses.ts';
import type { FleetFigures } from '#src/jobs/figures/fleet-figures.ts';
import type { QueueFigures } from '#src/jobs/figures/queue-figures.ts';
import type { VersionStatus } from '#src/jobs/figures/version-figures.ts';
import { Count, OptionalText, Time } from '#src/lib/validation/schema-parts.ts';

/** A queue with its present figures. */
export const QueueView = Type.Object(
  {
    name: Type.String({ description: 'Kind of work, as `<surface>.<verb-noun>`' }),
    title: Type.String({ description: 'Work of a job of this queue, in one line' }),
    surface: Type.String({ description: 'First part of its name' }),
    fleets: Type.Array(Type.String(), { description: 'The fleets whose workers do its jobs' }),
    workers: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Live worker processes that consume it, up to two seconds ago; with 0 its jobs wait. null where it is not known: a worker runs whose name says nothing of its queues',
    }),
    versions: Type.Array(
      Type.Object({
        version: Type.Integer({ minimum: 1, description: 'Version of its contract' }),
        workers: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description: 'Live workers that take it, up to two seconds ago; null where it is not known',
        }),
        queued: Count('Due, and waiting for a worker'),
        delayed: Count('Waiting for their time'),
        oldest_waiting_seconds: Type.Number({
          minimum: 0,
          description: 'Age of its longest waiting job that is due, 0 when none',
        }),
        warning: OptionalText('Says that no worker takes it, such as `no worker takes acme.resize-image@2`; else null'),
      }),
      {
        description:
          'Versions of its contract, the newest first: the newest, those that a worker takes, and those in which jobs wait',
      },
    ),
    paused: Type.Union(
      [
        Type.Object({
          at: Time('Since when'),
          by: Type.String({ description: 'Operator who paused it' }),
          reason: Type.Union([Type.String(), Type.Null()], { description: 'Why, in their words' }),
        }),
        Type.Null(),
      ],
      { description: 'While it is paused no job of it is started; null when it is not' },
    ),
    depth: Type.Object(
      {
        queued: Count('Due, and waiting for a worker'),
        delayed: Count('Waiting for their time: retries, and jobs that are to run later'),
        running: Count('Started, and not over'),
        waiting: Count('Suspended: waiting for a time, a signal or the end of a child, and for no worker'),
        held: Count('Waiting until they are released'),
        awaiting_approval: Count('Waiting for a decision'),
      },
      { description: 'Jobs that have not ended' },
    ),
    oldest_waiting_seconds: Type.Number({
      minimum: 0,
      description: 'Age of the longest waiting job that is due, 0 when none',
    }),
    drain_seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description:
        'Seconds that the due jobs would take at the rate of the last minute; null while it is paused or nothing ends',
    }),
    finished: Type.Object(
      { succeeded: Count('Done'), failed: Count('Given up'), cancelled: Count('Cancelled') },
      { description: 'Jobs that ended in the last five minutes' },
    ),
    per_minute: Count('Jobs that ended in the last minute'),
    attempts: Type.Integer({ minimum: 1, description: 'Failures after which a job is given up' }),
    timeout_ms: Type.Integer({ minimum: 1, description: 'Longest run of one attempt' }),
  },
  { $id: 'QueueView', title: 'QueueView', description: 'Status of a queue' },
);
export type QueueView = Static<typeof QueueView>;

/** A fleet and its processes. */
export const FleetView = Type.Object(
  {
    name: Type.String({ description: 'The fleet; a queue whose workers do nothing else; or `api`' }),
    queues: Type.Array(Type.String(), { description: 'Queues that its workers consume' }),
    workers: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'Names its lease' }),
        host: Type.String({ description: 'Host on which it runs' }),
        pid: Type.Integer({ minimum: 0, description: 'Its process there' }),
        started_at: Time('When it took its lease'),
        beat_at: Time('When it last gave a sign of life'),
        running: Count('Jobs it runs now, of all its fleets'),
        suspects: Type.Boolean({
          description: 'Whether it runs, one at a time, jobs whose worker died while it ran them',
        }),
      }),
      { description: 'Processes with a live lease, the oldest first; one of several fleets is in each of them' },
    ),
  },
  { $id: 'FleetView', title: 'FleetView', description: 'Worker processes that consume a set of queues' },
);
export type FleetView = Static<typeof FleetView>;

export function queueView(
  contract: QueueContract,
  figures: QueueFigures,
  pause: Pause | undefined,
  workers: number | null,
  versions: readonly VersionStatus[],
): QueueView {
  const {
    queue: name,
    queued,
    delayed,
    running,
    waiting,
    held,
    awaiting,
    succeeded,
    failed,
    cancelled,
    minute,
  } = figures;
  const { title, attempts, timeoutMs } = contract;
  return {
    name,
    title,
    surface: name.split('.')[0] ?? name,
    fleets: [...fleetsOf(name)],
    workers,
    versions: versions.map(({ oldest, ...one }) => ({ ...one, oldest_waiting_seconds: rounded(oldest) })),
    paused: pause ? { at: pause.at.toISOString(), by: pause.by, reason: pause.reason } : null,
    depth: { queued, delayed, running, waiting, held, awaiting_approval: awaiting },
    oldest_waiting_seconds: rounded(figures.oldest),
    drain_seconds: pause ? null : drainSeconds(queued, minute),
    finished: { succeeded, failed, cancelled },
    per_minute: minute,
    attempts,
    timeout_ms: timeoutMs,
  };
}

export function fleetView({ name, queues: consumed, workers }: FleetFigures): FleetView {
  return {
    name,
    queues: [...consumed],
    workers: workers.map(({ id, host, pid, startedAt, beatAt, running, suspects }) => ({
      id,
      host,
      pid,
      started_at: startedAt.toISOString(),
      beat_at: beatAt.toISOString(),
      running,
      suspects,
    })),
  };
}

function drainSeconds(queued: number, perMinute: number): number | null {
  if (queued === 0) return 0;
  return perMinute === 0 ? null : rounded((queued * 60) / perMinute);
}

/** To tenths: more digits would change with every look. */
function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
