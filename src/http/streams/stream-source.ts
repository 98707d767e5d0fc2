import { AppError } from '#src/lib/errors.ts';

/**
 * Source of a live stream. The hub carries every stream the same way; a kind of stream (jobs, a market symbol) says
 * where its events are published, where they can be read again, and how it looks as a whole.
 *
 * The contract a publisher must keep:
 * - Every durable event of a stream has a number `n`, dense from 1, and is readable by `replay` before it is published.
 * - On the channel it travels as JSON `{"epoch", "n", "type", "at", "data"}`.
 * - A transient event has no `n`: `{"type", "key", "data"}` and optionally `"at"`. It is never replayed, never moves a
 *   cursor, and for a slow client the newest of each key replaces the older ones.
 * - `epoch` names the history the numbers belong to (letters, digits, `_`, `-`). It changes when that history may not
 *   be continued: restored from a backup, an emptied Redis stream. Clients then get `reset`.
 */
export interface StreamSource {
  /** Redis pub/sub channel, made by the server from the row and the principal, never from input. Names the stream. */
  readonly channel: string;
  readonly kind: StreamKind;
  /** The stream's name within its kind, as `positions` takes it: a job id, a symbol. */
  readonly key: string;
  /** At most `limit` durable events with `n > after`, in order. One fresh read: not from a lagging copy. */
  readonly replay: (after: number, limit: number) => Promise<readonly StreamEvent[]>;
  /**
   * Reads `positions` of this stream and `replay` at once, so that who opens it waits for one answer less; null when it
   * is gone.
   */
  readonly open?: (after: number, limit: number) => Promise<Opening | null>;
  /** The state of the whole stream's subject now, at a position; null when it is gone. Sent inside `reset`. */
  readonly snapshot: () => Promise<Snapshot | null>;
  /** Part of it that this client may see, where it wants no part of its own; all without one. */
  readonly allowed?: Filter;
}

/** Part that streams of one sort share. One object per sort and process: the hub asks for positions once per kind. */
export interface StreamKind {
  readonly name: string;
  /** Newest position of each stream; a stream that is gone is left out. */
  readonly positions: (keys: readonly string[]) => Promise<ReadonlyMap<string, Position>>;
  /** Checks whether an event of this type ends its stream. */
  readonly ends: (type: string) => boolean;
  /**
   * For streams of a state: who comes without a cursor gets `snapshot` instead of the history, and heartbeats are
   * events that carry the position.
   */
  readonly snapshotFirst?: boolean;
  /**
   * For streams whose every event is the whole state: its type. Nothing of them is numbered; who comes, with whatever
   * cursor, hears `snapshot` as such an event.
   */
  readonly current?: string;
}

/** Filter of one client's stream. The numbers it sees stay those of the whole stream, so a cursor fits any filter. */
export interface Filter {
  readonly wants: (type: string, data: unknown) => boolean;
  /** Selects that part of the stream's snapshot. */
  readonly narrow: (snapshot: unknown) => unknown;
}

export interface StreamEvent {
  readonly n: number;
  readonly type: string;
  /** RFC 3339. */
  readonly at: string;
  readonly data: unknown;
}

export interface Position {
  readonly epoch: string;
  /** Number of the newest durable event; 0 when there is none. */
  readonly n: number;
  /** True where that event ended the stream. */
  readonly ended: boolean;
}

/** Beginning of a stream as one read found it. */
export interface Opening {
  readonly position: Position;
  /** Durable events behind the number that was asked for, in order. */
  readonly events: readonly StreamEvent[];
}

interface Snapshot extends Position {
  readonly data: unknown;
}

/** Position that a client names: the id of the last event it saw. */
export interface Cursor {
  readonly epoch: string;
  readonly n: number;
}

/**
 * The cursor in an event id (`<epoch>.<n>`); null for none.
 *
 * @throws AppError `invalid_request` for a text that is no id of ours.
 */
export function parseCursor(id: string | undefined, field = 'last_event_id'): Cursor | null {
  if (!id) return null;
  const [, epoch = '', n = ''] = /^([\w-]{1,100})\.(\d{1,15})$/.exec(id) ?? [];
  if (epoch) return { epoch, n: Number(n) };
  throw new AppError(
    'invalid_request',
    `${field}: expected the id of an event such as 1a2b.7, got ${JSON.stringify(id.slice(0, 100))}.`,
    {
      field,
      value: id.slice(0, 100),
    },
  );
}
