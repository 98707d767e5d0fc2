import type { Hub } from '#src/http/streams/hub.ts';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { endsResponse, type ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { Context } from '#src/system/context.ts';
import { readResponseEvents, responseChannel } from './event-store.ts';
import { lastEvents } from './response-now.ts';
import { readResponse } from './response-store.ts';

/** Events that are read at once. */
const PAGE = 500;
/** Milliseconds between reads of the events regardless of messages: a lost PUBLISH must not end the stream. */
const DOUBT_MS = 5_000;

/**
 * Yields the events of a background response, from the one behind `after` to the last, each once and in order: the
 * stored ones, then the others as they come. Ends where the response is deleted, or when `signal` is aborted.
 */
export async function* followResponse(
  edge: { readonly context: Context; readonly hub: Pick<Hub, 'bus'> },
  { owner, id }: { readonly owner: string; readonly id: string },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<ResponseEvent> {
  const { context } = edge;
  const wakes = subscribe(edge, id, signal);
  try {
    // events published before the acknowledgement are stored already
    await wakes.ready;
    for (let last = after; !signal.aborted; ) {
      wakes.seen();
      const events = await readResponseEvents(context, id, last, PAGE);
      yield* events;
      last = events.at(-1)?.sequence_number ?? last;
      if (events.some(endsResponse)) return;
      if (events.length > 0) continue;
      const stored = await readResponse(context, owner, id);
      if (!stored) return;
      // nothing is stored any more once its job has ended
      const ending = stored.ended ? [] : lastEvents(stored, await readResponseEvents(context, id, -1, stored.events));
      yield* ending.filter(({ sequence_number: n }) => n > last);
      if (stored.ended ? last >= stored.events - 1 : ending.length > 0) return;
      if (last < stored.events - 1) continue;
      await wakes.next();
    }
  } finally {
    wakes.close();
  }
}

interface Wakes {
  /** Settles when nothing can be missed any more, or the reader has gone. */
  readonly ready: Promise<unknown>;
  /** Marks everything that came until now as looked at. */
  readonly seen: () => void;
  /** Settles when something has come since. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
}

function subscribe(
  { context, hub }: { readonly context: Context; readonly hub: Pick<Hub, 'bus'> },
  id: string,
  signal: AbortSignal,
): Wakes {
  let news = Promise.withResolvers<void>();
  const look = () => news.resolve();
  const listener = { message: look, resubscribed: look };
  const channels = [responseChannel(context.config, id), jobChannel(context.config, id)];
  const subscriptions = channels.map((channel) => hub.bus.subscribe(channel, listener));
  const doubt = setInterval(look, DOUBT_MS);
  const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  signal.addEventListener('abort', look, { once: true });
  return {
    ready: Promise.race([gone, Promise.all(subscriptions.map(({ ready }) => ready))]),
    seen: () => {
      news = Promise.withResolvers();
    },
    next: async () => {
      if (!signal.aborted) await news.promise;
    },
    close: () => {
      clearInterval(doubt);
      signal.removeEventListener('abort', look);
      for (const subscription of subscriptions) subscription.close();
    },
  };
}
