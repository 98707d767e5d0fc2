import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';

/** Characters of JSON that one session keeps for clients that come back; the streams written longest ago go first. */
const MOST_CHARACTERS = 1_048_576;

interface StoredStream {
  readonly events: { readonly seq: number; readonly message: JSONRPCMessage }[];
  size: number;
  next: number;
}

/**
 * The messages of one session's streams, so that a client whose connection broke gets what it missed. A stream that was
 * dropped to make room is unknown from then on: its client gets an error, and never a stream with a hole.
 */
export function openEventStore(most: number = MOST_CHARACTERS): EventStore {
  const streams = new LRUCache<string, StoredStream>({
    maxSize: most,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });
  return {
    storeEvent: async (id, message) => {
      const stream = streams.get(id) ?? { events: [], size: 0, next: 0 };
      const seq = stream.next++;
      stream.events.push({ seq, message });
      stream.size += JSON.stringify(message).length;
      // a stream that has become too large by itself is dropped here as well
      streams.delete(id);
      streams.set(id, stream);
      return eventIdOf(id, seq);
    },
    getStreamIdForEventId: async (eventId) => {
      const { stream } = partsOf(eventId);
      return streams.has(stream) ? stream : undefined;
    },
    replayEventsAfter: async (eventId, { send }) => {
      const { stream, seq } = partsOf(eventId);
      for (const event of streams.get(stream)?.events ?? []) {
        // the first event of a stream only gives it an id
        if (event.seq > seq && 'jsonrpc' in event.message) await send(eventIdOf(stream, event.seq), event.message);
      }
      return stream;
    },
  };
}

function eventIdOf(stream: string, seq: number): string {
  return `${stream}::${String(seq).padStart(10, '0')}`;
}

function partsOf(eventId: string): { stream: string; seq: number } {
  const [stream = '', seq = ''] = eventId.split('::');
  return { stream, seq: /^\d{10}$/.test(seq) ? Number(seq) : Number.POSITIVE_INFINITY };
}
