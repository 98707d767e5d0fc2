import { useState } from 'react';
import type { Answer } from '#console/api/client.ts';
import type { StreamState } from '#console/api/events.ts';
import { useStream } from '#console/api/use-stream.ts';

export type Queue = Answer<'GET /v1/queues'>['data'][number];
type Worker = Answer<'GET /v1/workers'>['data'][number];
export type Fleet = Answer<'GET /v1/fleets'>['data'][number];

/** Status of queues, fleets and workers elsewhere; each event of the stream holds all of it. */
export interface Operations {
  readonly at: string;
  readonly whose: 'all' | 'own';
  readonly queues: readonly Queue[];
  /** For operators alone. */
  readonly fleets: readonly Fleet[] | null;
  /** Live workers elsewhere: the first of all there are. */
  readonly workers: { readonly total: number; readonly list: readonly Worker[] };
}

/** Sums over all queues at a moment. */
export interface Moment {
  readonly at: number;
  readonly queued: number;
  readonly running: number;
}

/** Moments that are kept: an hour, where every second brings other figures. */
const most = 3_600;

export interface Seen {
  readonly now: Operations | null;
  /** Since this page was opened, the oldest first. */
  readonly past: readonly Moment[];
  readonly connection: StreamState;
  /** Puts in what came back for one queue; the stream brings the same a moment later. */
  readonly put: (queue: Queue) => void;
}

export function useOperations(): Seen {
  const [{ now, past }, setSeen] = useState<Pick<Seen, 'now' | 'past'>>({ now: null, past: [] });
  const connection = useStream('/v1/operations/events', {
    types: ['operations'],
    onEvent: ({ type, data }) => {
      if (type !== 'operations') return;
      const operations = data as Operations;
      setSeen((before) => ({ now: operations, past: [...before.past.slice(-most), momentOf(operations)] }));
    },
  });
  const put = (queue: Queue) =>
    setSeen((before) => ({
      ...before,
      now: before.now && {
        ...before.now,
        queues: before.now.queues.map((one) => (one.name === queue.name ? queue : one)),
      },
    }));
  return { now, past, connection, put };
}

function momentOf({ at, queues }: Operations): Moment {
  return { at: Date.parse(at), queued: sumOf(queues, 'queued'), running: sumOf(queues, 'running') };
}

/** Jobs of all queues in one of the states in which they have not ended. */
export function sumOf(queues: readonly Queue[], state: keyof Queue['depth']): number {
  return queues.reduce((sum, { depth }) => sum + depth[state], 0);
}
