import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { holderOf } from '#src/lib/principal.ts';
import type { Sink } from './follower.ts';
import type { Hub } from './hub.ts';
import { type Filtering, filterOf, querySubscription } from './stream-filter.ts';
import { takeSlot } from './stream-slot.ts';
import { parseCursor, type StreamSource } from './stream-source.ts';

/** Milliseconds that a client may take to read the last event. */
const graceMs = 5_000;
const comment = Buffer.from(':\n\n');

/** First event of a stream, whatever the client's cursor; it has no id, and moves no cursor. */
export interface Greeting {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Answers with a stream of server-sent events, from the client's cursor (`Last-Event-ID`, or `last_event_id` in the
 * query) on. 204 when the cursor is the end of a stream that has ended: that is how an EventSource is told to stop.
 *
 * @throws AppError `invalid_request` for a bad cursor, `unavailable`; before anything is sent.
 */
export async function streamSse(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply,
  source: StreamSource,
  filtering?: Filtering,
  greeting?: Greeting,
): Promise<FastifyReply> {
  const filter = filtering ? filterOf(filtering, [querySubscription(filtering, request.query)]) : source.allowed;
  const { last_event_id: fromQuery } = request.query as { last_event_id?: string };
  const header = request.headers['last-event-id'];
  // a browser that reconnects repeats the address it began with, so the header is the newer one
  const cursor = parseCursor((Array.isArray(header) ? header[0] : header) || fromQuery);
  const slot = await takeSlot(hub, source, cursor, request.principal && holderOf(request.principal));
  // a client that has left meanwhile closes nothing any more: its slot would be kept for ever
  if (reply.raw.destroyed) {
    slot.release();
    reply.hijack();
    return reply;
  }
  const { epoch, n, ended } = slot.position;
  if (cursor && ended && cursor.epoch === epoch && cursor.n === n) {
    slot.release();
    return await reply.code(204).send();
  }
  reply.hijack();
  const { raw: response } = reply;
  const headers = { ...reply.getHeaders(), ...sseHeaders };
  response.writeHead(200, headers as Record<string, string>);
  response.write(`retry: ${jitter(1_000, 3_000)}\n\n`);
  if (greeting) response.write(`event: ${greeting.event}\ndata: ${JSON.stringify(greeting.data)}\n\n`);
  const started = slot.start(sseSink(response), request.principal && holderOf(request.principal), filter);
  response.on('drain', started.drained);
  response.on('close', started.closed);
  response.on('error', () => response.destroy());
  return reply;
}

const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

function sseSink(response: ServerResponse): Sink {
  return {
    transport: 'sse',
    write: (bytes) => void (response.writableEnded || response.write(bytes)),
    unwritten: () => response.writableLength,
    heartbeat: () => void response.write(comment),
    end: (reason) => {
      // clients of a process that stops must not all come back in the same moment
      response.end(reason === 'shutdown' ? `retry: ${jitter(500, 5_000)}\n\n` : undefined);
      setTimeout(() => response.destroy(), reason === 'shutdown' ? 1_000 : graceMs).unref();
    },
    destroy: () => void response.destroy(),
  };
}

function jitter(from: number, to: number): number {
  return Math.round(from + Math.random() * (to - from));
}
