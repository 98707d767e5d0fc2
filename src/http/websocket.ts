import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { AppError } from '#src/lib/errors.ts';
import { parseCursor } from './cursor.ts';
import type { EndReason, Sink } from './follower.ts';
import type { Hub, Seat } from './hub.ts';
import { takeSeat } from './seat.ts';
import type { StreamSource } from './stream-source.ts';

const seats = new WeakMap<FastifyRequest, Seat>();
const graceMs = 5_000;

/** Why a WebSocket was closed. 4401 is in the range for applications; a client must not come back with the same key. */
export const closeCodes: Record<EndReason, number> = {
  terminal: 1000,
  gone: 1000,
  shutdown: 1001,
  failed: 1011,
  slow: 1013,
  revoked: 4401,
};

/**
 * The first half of a WebSocket stream, before the upgrade (in `preHandler`): everything that may refuse, as an ordinary
 * HTTP answer. The cursor comes in the query, as `last_event_id`.
 *
 * @throws AppError `invalid_request` when this is no upgrade or the cursor is bad, `unavailable`.
 */
export async function prepareWebSocket(hub: Hub, request: FastifyRequest, source: StreamSource): Promise<void> {
  if (!request.ws)
    throw new AppError('invalid_request', 'expected a WebSocket upgrade, got an ordinary request.', {
      field: 'header.upgrade',
      value: null,
    });
  const { last_event_id: id } = request.query as { last_event_id?: string };
  const seat = await takeSeat(hub, source, parseCursor(id), request.principal?.keyId ?? null);
  const wire = request.raw.socket;
  // whoever leaves before the upgrade, or is refused it, never gets to the second half
  const release = () => void (seats.delete(request) && seat.release());
  seats.set(request, seat);
  if (wire.destroyed) release();
  else wire.once('close', release);
}

/** The second half, on the open socket: the same events as SSE, one JSON text each. */
export function streamWebSocket(socket: WebSocket, request: FastifyRequest): void {
  const seat = seats.get(request);
  if (!seat) {
    socket.close(closeCodes.failed);
    return;
  }
  seats.delete(request);
  const wire = request.raw.socket;
  let alive = true;
  const sink: Sink = {
    transport: 'websocket',
    // whole frames, straight to the connection: one write for many, and the same bytes for every client
    write: (bytes) => void (wire.writable && wire.write(bytes)),
    unwritten: () => wire.writableLength,
    heartbeat: () => {
      if (!alive) socket.terminate();
      alive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    end: (reason) => {
      socket.close(closeCodes[reason], reason);
      setTimeout(() => socket.terminate(), reason === 'shutdown' ? 1_000 : graceMs).unref();
    },
    destroy: () => socket.terminate(),
  };
  const started = seat.start(sink, request.principal?.keyId ?? null);
  wire.on('drain', started.drained);
  socket.on('pong', () => {
    alive = true;
  });
  socket.on('close', started.closed);
}

/**
 * Browsers send cookies along with any page's WebSocket, so a caller known by cookie must come from a page of ours. Keys
 * are never sent by themselves and need no such check.
 *
 * @throws AppError `forbidden` naming the origin.
 */
export function assertOrigin(
  { headers, principal }: Pick<FastifyRequest, 'headers' | 'principal'>,
  allowed: readonly string[],
): void {
  if (!principal || principal.keyId !== null) return;
  const { origin } = headers;
  if (origin !== undefined && allowed.includes(origin)) return;
  throw new AppError('forbidden', `expected a page of an allowed origin, got ${JSON.stringify(origin ?? 'none')}.`, {
    origin: origin ?? null,
  });
}
