import type { EndReason, Sink } from '#src/http/streams/follower.ts';
import type { Started } from '#src/http/streams/followers.ts';
import { type Hub, type HubOptions, openHub } from '#src/http/streams/hub.ts';
import type { Cursor, Position, StreamEvent, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import type { Bus, Listener } from '#src/system/redis/bus.ts';

/** A bus in memory that can lose messages, delay acknowledgements and lose its connection. */
export function memoryBus() {
  const channels = new Map<string, Set<Listener>>();
  const bus: Bus = {
    subscribe: (name, listener) => {
      const listeners = channels.get(name) ?? new Set();
      channels.set(name, listeners.add(listener));
      return {
        ready: Promise.resolve(),
        close: () => {
          listeners.delete(listener);
          if (listeners.size === 0) channels.delete(name);
        },
      };
    },
  };
  return {
    bus,
    publish: (name: string, message: object) => {
      for (const listener of channels.get(name) ?? []) listener.message(JSON.stringify(message));
    },
    reconnect: () => {
      for (const listeners of channels.values()) for (const listener of listeners) listener.resubscribed();
    },
    channels,
  };
}

/** A ledger in memory, one stream, that counts its reads; with `opens` its source reads position and events at once. */
export function memoryLedger(channel = 'c', opens = false) {
  const events: StreamEvent[] = [];
  const state = { epoch: 'e1', ended: false, reads: 0, snapshots: 0, gate: Promise.resolve() };
  const position = (): Position => ({ epoch: state.epoch, n: events.length, ended: state.ended });
  const kind: StreamKind = {
    name: 'trial',
    positions: async (keys) => new Map(keys.map((key) => [key, position()])),
    ends: (type) => type === 'done',
  };
  const replay: StreamSource['replay'] = async (after, limit) => {
    state.reads++;
    const read = events.slice(after, after + limit);
    await state.gate;
    return read;
  };
  const open: StreamSource['open'] = async (after, limit) => {
    const found = position();
    return { position: found, events: await replay(after, limit) };
  };
  const source: StreamSource = {
    channel,
    kind,
    key: channel,
    ...(opens && { open }),
    replay,
    snapshot: async () => {
      state.snapshots++;
      return { ...position(), data: { upTo: events.length } };
    },
  };
  const append = (type: string, data: unknown = {}): object => {
    const event = { n: events.length + 1, type, at: '2026-01-01T00:00:00.000Z', data };
    events.push(event);
    if (type === 'done') state.ended = true;
    return { epoch: state.epoch, ...event };
  };
  return { events, state, source, append };
}

export interface Message {
  readonly id?: string;
  readonly type: string;
  readonly data: unknown;
}

/** A client that keeps what it gets; `stall` makes it stop reading, `read` takes what waits. */
export class MemoryClient {
  readonly messages: Message[] = [];
  ended: EndReason | null = null;
  writes = 0;
  started: Started | null = null;
  private waiting: Buffer[] = [];
  private stalled = false;
  /** True where the connection stays when the stream ends, because its messages are not read. */
  lingers = false;

  readonly sink: Sink = {
    transport: 'sse',
    write: (bytes) => {
      this.writes++;
      this.waiting.push(bytes);
      if (!this.stalled) this.take();
    },
    unwritten: () => this.waiting.reduce((sum, { length }) => sum + length, 0),
    heartbeat: () => {},
    end: (reason) => {
      this.ended = reason;
      if (this.lingers && this.stalled) return;
      this.take();
      this.started?.closed();
    },
    destroy: () => {
      this.waiting = [];
      this.started?.closed();
    },
  };

  /** Begins a new connection: nothing of the old one arrives any more. */
  connect(): void {
    this.waiting = [];
    this.stalled = false;
    this.ended = null;
  }

  stall(): void {
    this.stalled = true;
  }

  read(): void {
    this.stalled = false;
    this.take();
    this.started?.drained();
  }

  private take(): void {
    const text = Buffer.concat(this.waiting).toString();
    this.waiting = [];
    for (const part of text.split('\n\n')) {
      const data = /^data: (.*)$/m.exec(part)?.[1];
      if (data) this.messages.push(JSON.parse(data) as Message);
    }
  }

  /** Cursor of a reconnect: the last id seen. */
  get cursor(): Cursor | null {
    const id = this.messages.findLast((message) => message.id !== undefined)?.id;
    const [epoch = '', n = ''] = id?.split('.') ?? [];
    return id ? { epoch, n: Number(n) } : null;
  }
}

export async function follow(
  hub: Hub,
  source: StreamSource,
  client: MemoryClient,
  cursor: Cursor | null = client.cursor,
  keyId = 'key-1',
): Promise<void> {
  const seat = await hub.reserve(source, cursor);
  client.connect();
  client.started = seat.start(client.sink, keyId);
  if (client.ended) client.started.closed();
}

export function trialHub(bus: Bus, options: Partial<HubOptions> = {}): Hub {
  return openHub({
    bus,
    onFailure: () => {},
    clientBytes: 1_048_576,
    totalBytes: 16_777_216,
    perKey: 100_000,
    replayEvents: 1_000,
    replayBytes: 262_144,
    bufferBytes: 262_144,
    retryMs: 0,
    onFollowers: () => {},
    onReset: () => {},
    onDropped: () => {},
    ...options,
  });
}

/** Lets everything that waits on promises and the event loop's turn happen; no time passes. */
export async function settle(turns = 6): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
