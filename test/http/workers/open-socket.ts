import { once } from 'node:events';
import WebSocket from 'ws';
import type { RemoteApi } from './remote.ts';

export interface Answer {
  readonly id: number | null;
  readonly status: number;
  readonly body: any;
}

/** A worker's socket: `ask` sends one message and gives its answer. */
export async function openSocket(url: string, headers: Readonly<Record<string, string>>) {
  const socket = new WebSocket(url, { headers });
  const waiting = new Map<number | null, (answer: Answer) => void>();
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  await once(socket, 'open');
  let last = 0;
  return {
    socket,
    /** Sends a text as it is: gives the answer of this id, null for a text that has none. */
    send: (id: number | null, text: string) =>
      new Promise<Answer>((resolve) => {
        waiting.set(id, resolve);
        socket.send(text);
      }),
    ask: (type: string, more: object) =>
      new Promise<Answer>((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, type, ...more }));
      }),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** Lets the API listen, and gives the address of its socket of workers. */
export async function socketUrl(api: RemoteApi): Promise<string> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const address = api.app.server.address();
  return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/ws/v1/workers`;
}
