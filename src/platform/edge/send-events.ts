import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { describeError } from '#src/lib/errors.ts';

interface Event {
  readonly type: string;
}

/** SSE comment that keeps a connection open while nothing happens; clients ignore it. */
export const comment = ':\n\n';

/**
 * Answers with server-sent events as clients of OpenAI's kind read them: each by its type, with its JSON. Written as
 * the client takes them, with a comment now and then while nothing happens. The answer ends with the events; when they
 * break off, with an event `error`.
 */
export function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<Event>,
  { heartbeatMs }: { readonly heartbeatMs: number },
): FastifyReply {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(written(reply, events, heartbeatMs), { objectMode: false }));
}

async function* written(
  reply: FastifyReply,
  events: AsyncIterable<Event>,
  heartbeatMs: number,
): AsyncGenerator<string> {
  let count = 0;
  try {
    for await (const event of alive(events, heartbeatMs)) {
      if (event !== null) count++;
      yield event === null ? comment : frame(event);
    }
  } catch (error) {
    reply.log.error({ err: error }, 'a stream broke off');
    const { code, message } = describeError(error);
    yield frame({ type: 'error', code, message, param: null, sequence_number: count } as Event);
  }
}

const frame = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Yields the events, and null after each `quietMs` milliseconds without one. One timer for all of them: an aborted one for
 * each token of an answer cost more than all else that was done for it.
 */
export async function* alive<T>(events: AsyncIterable<T>, quietMs: number): AsyncGenerator<T | null> {
  const iterator = events[Symbol.asyncIterator]();
  let wake = () => {};
  const timer = setTimeout(() => wake(), quietMs).unref();
  try {
    for (let next = iterator.next(); ; ) {
      timer.refresh();
      const came = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        wake = () => resolve(null);
        next.then(resolve, reject);
      });
      if (came === null) {
        yield null;
        continue;
      }
      if (came.done) return;
      yield came.value;
      next = iterator.next();
    }
  } finally {
    clearTimeout(timer);
    await iterator.return?.();
  }
}
