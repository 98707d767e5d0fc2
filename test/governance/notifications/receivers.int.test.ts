import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gaugeNotifications } from '#src/governance/notifications/notification-gauges.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { type NotificationWorld, notificationWorld } from './world.ts';

/** A server of bytes: each connection is given to `serve` with what it has sent first. */
async function openBytes(serve: (socket: Socket) => void, tls = false) {
  const sockets = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => serve(socket));
  };
  const server = tls ? createTlsServer({}, () => {}) : createServer(onConnection);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';

let stack: AsyncDisposableStack;
let world: NotificationWorld;
const origins: Record<string, string> = {};
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const liars: Readonly<Record<string, (socket: Socket) => void>> = {
    'closes in the middle of its answer': (socket) => socket.end(`${head}content-length: 100\r\n\r\nabc`),
    'closes before its answer': (socket) => socket.end(),
    'sends a body without end': (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    },
    'sends headers without end': (socket) => {
      socket.write(head);
      const more = () => {
        while (!socket.destroyed && socket.write(`x-more: ${'y'.repeat(1_000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    },
    'sends one byte a second': (socket) => {
      socket.write(`${head}content-length: 1000\r\n\r\n`);
      const timer = setInterval(() => socket.write('x'), 1_000);
      socket.on('close', () => clearInterval(timer));
    },
    'speaks no HTTP': (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
    'wants another protocol': (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  };
  for (const [name, serve] of Object.entries(liars)) origins[name] = stack.use(await openBytes(serve)).origin;
  origins['has no certificate'] = stack.use(await openBytes(() => {}, true)).origin;
  const plain = stack.use(await openBytes((socket) => socket.end(`${head}content-length: 0\r\n\r\n`)));
  origins['speaks no TLS'] = `https://127.0.0.1:${plain.port}`;
  const allowed = Object.values(origins);
  const calm = stack.use(await openReceiver());
  const redirecting = stack.use(
    await openReceiver((response) => void response.writeHead(308, { location: `${calm.origin}/inside` }).end()),
  );
  origins['redirects'] = redirecting.origin;
  world = stack.use(
    await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: [...allowed, redirecting.origin, calm.origin].join(',') }),
  );
  origins['calm'] = calm.origin;
});
afterAll(async () => await stack.disposeAsync());

test('no receiver that lies, breaks off or never ends has taken a message, and none holds up another', async () => {
  const { calm, ...bad } = origins;
  const names = new Map<string, string>();
  for (const [name, origin] of Object.entries(bad))
    names.set((await world.endpoint({ url: `${origin}/`, title: name })).id, name);
  const good = await world.endpoint({ url: `${calm}/beside` });
  await world.end('failed');
  await expect.poll(async () => (await world.deliveries(`&endpoint=${good.id}`))[0]?.state).toBe('delivered');
  for (const [id, name] of names) {
    const first = async () => (await world.deliveries(`&endpoint=${id}`))[0];
    await expect.poll(async () => [name, (await first())?.attempts > 0], { timeout: 30_000 }).toEqual([name, true]);
    const { state, last_error: error, delivered_at: at } = await first();
    expect([name, state !== 'delivered', at, typeof error]).toEqual([name, true, null, 'string']);
  }
});

test('an owner with many receivers that hang holds up no other owner', async () => {
  await using hanging = await openReceiver(() => {});
  await using calm = await openReceiver();
  await using own = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: `${hanging.origin},${calm.origin}` });
  for (let n = 0; n < 40; n++) await own.endpoint({ url: `${hanging.origin}/${n}` });
  const { headers } = await own.key({ owner: 'owner-2', scopes: ['jobs.manage'], operator: true });
  const payload = { url: `${calm.origin}/`, events: ['job.failed'], every_owner: true };
  const made = await own.app.inject({ method: 'POST', url: '/v1/webhook-endpoints', headers, payload });
  expect(made.statusCode).toBe(201);
  await own.end('failed');
  await expect.poll(() => calm.messages.length).toBe(1);
  // theirs hang all the same, eight at once
  await expect.poll(() => hanging.messages.length).toBe(8);
});

test('metrics tell of what was delivered, tried again, waits and fails', async () => {
  const { metrics } = world.context;
  gaugeNotifications(world.context);
  const text = await metrics.registry.metrics();
  const value = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(value('proofline_notification_attempts_total{format="raw",outcome="delivered"}')).toBe(1);
  const bad = Object.keys(origins).length - 1;
  expect(value('proofline_notification_attempts_total{format="raw",outcome="retried"}')).toBeGreaterThanOrEqual(bad);
  expect(value('proofline_notification_seconds_count{format="raw"}')).toBe(1);
  expect(value('proofline_endpoints_failing')).toBe(bad);
  expect(value('proofline_endpoint_failing_longest_seconds')).toBeGreaterThan(0);
  expect(value('proofline_notifications_waiting{endpoint="failing"}')).toBe(bad);
  expect(value('proofline_notifications_waiting{endpoint="taking"}')).toBe(0);
  expect(value('proofline_notification_overdue_seconds')).toBe(0);
});
