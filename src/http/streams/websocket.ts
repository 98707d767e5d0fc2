import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { assertOwnPage } from '#src/access/sessions/forgery.ts';
import { AppError } from '#src/lib/errors.ts';
import { holderOf } from '#src/lib/principal.ts';
import type { EndReason, Sink } from './follower.ts';
import type { Hub, StreamSlot } from './hub.ts';
import type { Filtering } from './stream-filter.ts';
import { controlMessage } from './stream-message.ts';
import { takeSlot } from './stream-slot.ts';
import { type Filter, parseCursor, type StreamSource } from './stream-source.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/**
 * State of a stream before the upgrade: a subscription slot or why there is none, and what is wanted of a stream that
 * has a filter.
 */
interface Waiting {
  readonly slot: StreamSlot | AppError;
  readonly subscriptions: Subscriptions | null;
  readonly allowed: Filter | null;
}
const waiting = new WeakMap<FastifyRequest, Waiting>();
const graceMs = 5_000;
/** RFC 6455 §7.4.1 */
const TOO_BIG = 1009;
/** Characters of a message: its server takes longer ones, for workers. */
const LONGEST_MESSAGE = 4_096;
/** Messages of a client from one heartbeat to the next. */
const MOST_SAID = 1_000;

/**
 * Why a WebSocket was closed. 4401 and 4429 are in the range for applications: after the first a client must not come
 * back with the same key, after the second not without having given something up.
 */
export const closeCodes: Record<EndReason, number> = {
  terminal: 1000,
  gone: 1000,
  shutdown: 1001,
  failed: 1011,
  slow: 1013,
  too_many: 4429,
  revoked: 4401,
};

/**
 * The first half of a WebSocket stream, before the upgrade (in `preHandler`): everything that may refuse, as an
 * ordinary HTTP answer; but too many streams of a key by a close code, since a browser shows its page no other answer.
 * The cursor comes in the query, as `last_event_id`, and so does what is wanted of a stream that has a filter.
 *
 * @throws AppError `invalid_request` when the cursor is bad, `unavailable`; what the filter throws.
 */
export async function prepareWebSocket(
  hub: Hub,
  request: FastifyRequest,
  source: StreamSource,
  filtering?: Filtering,
): Promise<void> {
  const { last_event_id: id } = request.query as { last_event_id?: string };
  const cursor = parseCursor(id);
  const subscriptions = filtering ? openSubscriptions(filtering, request) : null;
  const slot = await takeSlot(hub, source, cursor, request.principal && holderOf(request.principal)).catch(
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'quota_exceeded') return error;
      throw error;
    },
  );
  waiting.set(request, { slot, subscriptions, allowed: source.allowed ?? null });
  if (slot instanceof AppError) return;
  const wire = request.raw.socket;
  // a client that leaves before the upgrade, or is refused it, never gets to the second half
  const release = () => void (waiting.delete(request) && slot.release());
  if (wire.destroyed) release();
  else wire.once('close', release);
}

/**
 * The second half, on the open socket: the same events as SSE, one JSON text each. On a stream with a filter the client
 * may change what it wants; on another it has nothing to say.
 */
export function streamWebSocket(socket: WebSocket, request: FastifyRequest): void {
  const prepared = waiting.get(request);
  if (!prepared) {
    socket.close(closeCodes.failed);
    return;
  }
  waiting.delete(request);
  const { slot, subscriptions, allowed } = prepared;
  if (slot instanceof AppError) {
    const { code, message: detail } = slot;
    socket.send(controlMessage('error', { code, detail }).text);
    close(socket, 'too_many', detail);
    return;
  }
  const wire = request.raw.socket;
  let alive = true;
  let said = 0;
  socket.on('message', (data: Buffer) => {
    if (data.length > LONGEST_MESSAGE) socket.close(TOO_BIG, `expected at most ${LONGEST_MESSAGE} bytes in a message.`);
  });
  const sink: Sink = {
    transport: 'websocket',
    // whole frames, straight to the connection: one write for many, and the same bytes for every client
    write: (bytes) => void (wire.writable && wire.write(bytes)),
    unwritten: () => wire.writableLength,
    heartbeat: () => {
      if (!alive) socket.terminate();
      alive = false;
      said = 0;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    end: (reason, detail) => close(socket, reason, detail),
    destroy: () => socket.terminate(),
  };
  const started = slot.start(
    sink,
    request.principal && holderOf(request.principal),
    subscriptions?.filter() ?? allowed,
  );
  if (subscriptions)
    socket.on('message', (data: Buffer) => {
      said++;
      if (said > MOST_SAID) started.refuse(`expected at most ${MOST_SAID} messages between heartbeats, got more.`);
      else subscriptions.take(String(data), started);
    });
  wire.on('drain', started.drained);
  socket.on('pong', () => {
    alive = true;
  });
  socket.on('close', started.closed);
}

/** Closes, and cuts off who does not answer. A close frame has room for a reason of 123 bytes; ours are ASCII. */
function close(socket: WebSocket, reason: EndReason, detail: string): void {
  socket.close(closeCodes[reason], detail.slice(0, 123));
  setTimeout(() => socket.terminate(), reason === 'shutdown' ? 1_000 : graceMs).unref();
}

/**
 * Browsers send cookies along with any page's WebSocket, so a caller known by cookie must come from a page of ours.
 * Keys and stream tokens are never sent by themselves and need no such check.
 *
 * @throws AppError `forbidden` naming the origin.
 */
export function assertOrigin(
  { headers, principal }: Pick<FastifyRequest, 'headers' | 'principal'>,
  config: Parameters<typeof assertOwnPage>[1],
): void {
  if (!principal?.session) return;
  assertOwnPage(headers.origin, config);
}
