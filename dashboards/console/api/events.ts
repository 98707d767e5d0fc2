/** An event of a stream. `id` is null for events that are not stored: progress, ticks. */
export interface StreamEvent {
  readonly id: string | null;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
  /** Name of an event that is not stored: it replaces the earlier one of the same key. */
  readonly key?: string;
}

/** `live`: open; `opening`: not yet; `lost`: no longer, and opened again; `ended`: it has said everything. */
export type StreamState = 'opening' | 'live' | 'lost' | 'ended';

interface Listener {
  readonly onEvent: (event: StreamEvent) => void;
  readonly onState: (state: StreamState) => void;
}

interface Stream {
  readonly listeners: Set<Listener>;
  readonly types: Set<string>;
  state: StreamState;
  source: EventSource | null;
  lastId: string | null;
  failures: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last message of any kind, and of the last sign of life; ms since 1970. */
  heardAt: number;
  beatAt: number | null;
  /** The longest time between two signs of life, ms; null for a stream that says none. */
  beatMs: number | null;
  watch: ReturnType<typeof setTimeout> | undefined;
}

const streams = new Map<string, Stream>();

let onRefused: () => void = () => {};

/**
 * Sets what is done when the service refuses a stream, as it does when the session is over; it is requested again
 * later.
 */
export function whenRefused(act: () => void): void {
  onRefused = act;
}

/** Said by every stream: a new start, a sign of life, and that one may no longer listen. */
const control = ['snapshot', 'reset', 'heartbeat', 'revoked', 'error'];

/**
 * A connection whose other end is gone without a word looks open for ever: after as many missing signs of life it is
 * opened anew. Less than so long is a busy machine.
 */
const mostMissing = 3;
const leastSilenceMs = 5_000;

/** Time that a hidden page keeps its streams: browsers have six connections to a service, for all pages together. */
const unseenMs = 30_000;

/**
 * Follows a stream (SSE) at a path. One connection, however many listen; after a break it goes on behind the last
 * event, and where the service cannot do that it sends `reset` with a snapshot, which listeners get too: read again
 * then. Returns what ends it for this listener.
 */
export function follow(path: string, types: readonly string[], listener: Listener): () => void {
  const stream = streams.getOrInsertComputed(path, () => ({
    listeners: new Set<Listener>(),
    types: new Set<string>(control),
    state: 'opening' as const,
    source: null,
    lastId: null,
    failures: 0,
    timer: undefined,
    heardAt: 0,
    beatAt: null,
    beatMs: null,
    watch: undefined,
  }));
  stream.listeners.add(listener);
  listener.onState(stream.state);
  const before = stream.types.size;
  for (const type of types) stream.types.add(type);
  if (!stream.source || stream.types.size > before) open(path, stream);
  return () => {
    stream.listeners.delete(listener);
    if (stream.listeners.size > 0) return;
    close(stream);
    streams.delete(path);
  };
}

function open(path: string, stream: Stream): void {
  close(stream);
  if (stream.state === 'ended') return;
  const address = new URL(path, location.href);
  if (stream.lastId !== null) address.searchParams.set('last_event_id', stream.lastId);
  const source = new EventSource(address);
  stream.source = source;
  stream.heardAt = Date.now();
  stream.beatAt = null;
  watch(stream);
  source.addEventListener('open', () => {
    stream.failures = 0;
    changeState(stream, 'live');
  });
  source.addEventListener('error', (event) => {
    // the service's own event of that name has data; this is the connection's
    if (event instanceof MessageEvent) return;
    markLost(stream);
    if (source.readyState !== EventSource.CLOSED) return;
    onRefused();
    openLater(path, stream);
  });
  for (const type of stream.types) source.addEventListener(type, (event) => take(stream, type, event));
}

function take(stream: Stream, type: string, { data, lastEventId }: MessageEvent): void {
  if (typeof data !== 'string') return;
  if (lastEventId !== '') stream.lastId = lastEventId;
  stream.heardAt = Date.now();
  if (type === 'heartbeat') {
    if (stream.beatAt !== null) stream.beatMs = Math.max(stream.beatMs ?? 0, stream.heardAt - stream.beatAt);
    stream.beatAt = stream.heardAt;
    watch(stream);
    return;
  }
  const event = { id: null, type, ...(JSON.parse(data) as Partial<StreamEvent>) } as StreamEvent;
  for (const { onEvent } of stream.listeners) onEvent(event);
}

/**
 * Notices when a stream is silent that says signs of life otherwise. Those that say none were silent with it, or are
 * well.
 */
function watch(stream: Stream): void {
  clearTimeout(stream.watch);
  if (stream.beatMs === null) return;
  const most = Math.max(leastSilenceMs, mostMissing * stream.beatMs);
  const act = () => {
    if (Date.now() - stream.heardAt < most) {
      watch(stream);
      return;
    }
    for (const [one, other] of streams) {
      if (!other.source || Date.now() - other.heardAt < most) continue;
      markLost(other);
      open(one, other);
    }
  };
  stream.watch = setTimeout(act, stream.heardAt + most - Date.now());
}

/** The browser gives up after any answer that is not 200: a service that starts again says 503 for a while. */
function openLater(path: string, stream: Stream): void {
  close(stream);
  stream.failures += 1;
  const ms = Math.min(30_000, 500 * 2 ** stream.failures) * (0.5 + Math.random() / 2);
  stream.timer = setTimeout(() => open(path, stream), ms);
}

function close(stream: Stream): void {
  clearTimeout(stream.timer);
  clearTimeout(stream.watch);
  stream.source?.close();
  stream.source = null;
}

/** Marks a live stream as lost; one that was never open is still opening. */
function markLost(stream: Stream): void {
  if (stream.state === 'live') changeState(stream, 'lost');
}

function changeState(stream: Stream, state: StreamState): void {
  if (stream.state === state) return;
  stream.state = state;
  for (const { onState } of stream.listeners) onState(state);
}

/** Ends a stream that has said everything. */
export function endStream(path: string): void {
  const stream = streams.get(path);
  if (!stream) return;
  close(stream);
  changeState(stream, 'ended');
}

/** Lets go of every connection; they come back when the page is looked at again. */
export function forgetStreams(): void {
  for (const stream of streams.values()) close(stream);
}

let unseen: ReturnType<typeof setTimeout> | undefined;
document.addEventListener('visibilitychange', () => {
  clearTimeout(unseen);
  if (document.visibilityState === 'hidden') {
    unseen = setTimeout(forgetStreams, unseenMs);
    return;
  }
  for (const [path, stream] of streams) if (!stream.source) open(path, stream);
});
