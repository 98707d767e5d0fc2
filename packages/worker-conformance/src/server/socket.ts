import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Reply } from '../protocol/messages.ts';
import type { Call } from './call.ts';
import { acceptSocket } from './frames.ts';

/** Answers one message of a socket, or what is to become of the socket instead. */
type Answering = (call: Call, gone: AbortSignal) => Promise<Reply | 'cut'>;

const kinds: ReadonlySet<string> = new Set(['register', 'poll', 'report', 'leave']);

/**
 * Takes the messages of workers that come over `/ws/v1/workers`: `{id, type, worker, …}`, each answered by
 * `{id, status, body}`. Answers the function that cuts every socket.
 *
 * @param mayEnter true where the request of a socket has the key
 */
export function serveSockets(server: Server, mayEnter: (request: IncomingMessage) => boolean, answering: Answering) {
  const open = new Set<Duplex>();
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (request.url !== '/ws/v1/workers' || !mayEnter(request)) {
      stream.end(`HTTP/1.1 ${request.url === '/ws/v1/workers' ? '401 Unauthorized' : '404 Not Found'}\r\n\r\n`);
      return;
    }
    const gone = new AbortController();
    open.add(stream);
    stream.on('close', () => {
      open.delete(stream);
      gone.abort();
    });
    const take = async (text: string) => {
      const { id, type, worker = '', ...body } = JSON.parse(text) as Message;
      if (!kinds.has(type)) return socket.send(JSON.stringify({ id, status: 400, body: unknown(type) }));
      const reply = await answering({ kind: type as Call['kind'], of: worker, body }, gone.signal);
      if (reply === 'cut') socket.destroy();
      else socket.send(JSON.stringify({ id, status: reply.status, body: reply.body }));
    };
    // what is not JSON is no message of a worker
    const socket = acceptSocket(request, stream, head, (text) => void take(text).catch(() => socket.destroy()));
  });
  return () => {
    for (const stream of open) stream.destroy();
  };
}

interface Message {
  readonly id: number;
  readonly type: string;
  readonly worker?: string;
  readonly [member: string]: unknown;
}

function unknown(type: string): object {
  return { code: 'invalid_request', detail: `type: expected ${[...kinds].join(', ')}, got ${type}.`, details: {} };
}
