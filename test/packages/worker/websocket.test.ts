import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { webSocketTransport } from '#packages/worker/src/serve/websocket.ts';
import { until } from '#test/helpers/processes.ts';

interface Message {
  readonly id: number;
  readonly type: string;
}

/** A server of sockets that answers as a test says. */
async function socketServer(answer: (message: Message, socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/base/ws/v1/workers' });
  const messages: Message[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message;
      messages.push(message);
      answer(message, socket);
    });
  });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    messages,
    clients: server.clients,
    [Symbol.asyncDispose]: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

const reply = (socket: WebSocket, id: number, status: number, body: unknown) =>
  socket.send(JSON.stringify({ id, status, body }));

const soon = { timeoutMs: 5_000 };

test('messages go over one socket, and answers come in any order', async () => {
  const held: (() => void)[] = [];
  await using server = await socketServer(({ id, type }, socket) => {
    if (type === 'poll') held.push(() => reply(socket, id, 200, { jobs: [] }));
    else {
      reply(socket, id, 200, { answers: [] });
      for (const release of held) release();
    }
  });
  const transport = webSocketTransport({ url: server.url, key: 'sk-1' });
  const polled = transport.send('poll', 'w-1', '{"credits":1}', soon);
  await until(() => held.length === 1);
  expect(await transport.send('report', 'w-1', '{"reports":[]}', soon)).toEqual({ answers: [] });
  expect(await polled).toEqual({ jobs: [] });
  expect(server.messages).toEqual([
    { id: 1, type: 'poll', worker: 'w-1', credits: 1 },
    { id: 2, type: 'report', worker: 'w-1', reports: [] },
  ]);
  expect(server.clients.size).toBe(1);
  transport.close();
  await until(() => server.clients.size === 0);
});

test('error: a refusal is an error with its code, and a socket that is cut is opened again', async () => {
  await using server = await socketServer(({ id, type }, socket) => {
    if (type === 'poll') reply(socket, id, 404, { code: 'not_found', detail: 'no lease', details: { worker: 'w-1' } });
    else if (id === 2) socket.terminate();
    else if (id === 3) socket.send('not JSON');
    else reply(socket, id, 204, null);
  });
  const transport = webSocketTransport({ url: server.url, key: 'sk-1' });
  await expect(transport.send('poll', 'w-1', '{}', soon)).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    message: 'no lease',
    details: { worker: 'w-1' },
    retryable: false,
  });
  for (const _ of ['cut', 'not JSON'])
    await expect(transport.send('leave', 'w-1', '{}', soon)).rejects.toMatchObject({
      code: 'unreachable',
      retryable: true,
    });
  expect(await transport.send('leave', 'w-1', '{}', soon)).toBeNull();
  transport.close();
});

test('error: no answer in time, no server, and a signal that is aborted end a message', async () => {
  await using server = await socketServer(() => {});
  const transport = webSocketTransport({ url: server.url, key: 'sk-1' });
  await expect(transport.send('poll', 'w-1', '{}', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'unreachable' });
  const stop = new AbortController();
  const polled = transport.send('poll', 'w-1', '{}', { ...soon, signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(polled).rejects.toThrow('enough');
  await expect(transport.send('poll', 'w-1', '{}', { ...soon, signal: stop.signal })).rejects.toThrow('enough');
  transport.close();
  const nowhere = webSocketTransport({ url: 'http://127.0.0.1:1', key: 'sk-1' });
  await expect(nowhere.send('poll', 'w-1', '{}', soon)).rejects.toMatchObject({ code: 'unreachable' });
  nowhere.close();
});

test('error: a platform without WebSocket is told which transport to take', () => {
  vi.stubGlobal('WebSocket', undefined);
  try {
    expect(() => webSocketTransport({ url: 'http://127.0.0.1:1', key: 'k' })).toThrow(/such as Node 22.*use http/);
  } finally {
    vi.unstubAllGlobals();
  }
});
