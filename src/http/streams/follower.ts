import type { StreamMessage, Transport } from './stream-message.ts';
import type { Filter } from './stream-source.ts';

/**
 * Why a stream ended: its subject is final, this process stops, the client was too slow or wants too much, its key
 * died, or we failed.
 */
export type EndReason = 'terminal' | 'shutdown' | 'slow' | 'too_many' | 'revoked' | 'failed' | 'gone';

/** One way to write to one client. `sse.ts` and `websocket.ts` are the two there are. */
export interface Sink {
  readonly transport: Transport;
  readonly write: (bytes: Buffer) => void;
  /** Bytes handed to `write` that the network has not taken yet. */
  readonly unwritten: () => number;
  readonly heartbeat: () => void;
  /** Ends after what was written; a client that does not read is cut off a little later. */
  readonly end: (reason: EndReason, detail: string) => void;
  /** Cuts the connection at once and frees what was not written. */
  readonly destroy: () => void;
}

/** One client of one stream. `last` is the number of the last durable event written to it. */
export interface Follower {
  readonly sink: Sink;
  readonly keyId: string | null;
  /** Null for everything. */
  filter: Filter | null;
  last: number;
  /** `catching` reads the ledger and buffers what arrives meanwhile; `live` writes what arrives. */
  state: 'catching' | 'live' | 'ended';
  /** Set when only a snapshot can help: why. `first` is no loss: the client has just come, or wants something else. */
  reset: string | null;
  buffer: StreamMessage[];
  bufferBytes: number;
  /** The buffer was full: what it held is lost and the ledger has to be read again. */
  overflowed: boolean;
  /** Newest transient message per key that a busy client has not got yet. */
  readonly withheld: Map<string, StreamMessage>;
  /** Bytes unwritten when last looked at. */
  backlog: number;
}

export function newFollower(sink: Sink, keyId: string | null, last: number, filter: Filter | null): Follower {
  return {
    sink,
    keyId,
    filter,
    last,
    state: 'catching',
    reset: null,
    buffer: [],
    bufferBytes: 0,
    overflowed: false,
    withheld: new Map(),
    backlog: 0,
  };
}

/** Keeps what arrives while the ledger is read, up to a bound. */
export function keep(follower: Follower, message: StreamMessage, bound: number): void {
  if (message.n === null) {
    follower.withheld.set(message.key, message);
    return;
  }
  if (message.n <= follower.last || follower.overflowed) return;
  follower.buffer.push(message);
  follower.bufferBytes += message.size;
  if (follower.bufferBytes > bound) forget(follower, true);
}

export function forget(follower: Follower, overflowed: boolean): void {
  follower.buffer = [];
  follower.bufferBytes = 0;
  follower.overflowed = overflowed;
}

/** A call, so that TypeScript does not believe that the state survives an await. */
export function isIn(follower: Follower, state: Follower['state']): boolean {
  return follower.state === state;
}
