import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveMetrics } from '#src/system/metrics-server.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

let api: TestApi;
let port: number;

beforeAll(async () => {
  api = await testApi({ METRICS_PORT: '0', ANONYMOUS_PER_MINUTE: '10000' }, (app) => {
    app.post('/test/echo', async (request) => request.body);
  });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(api.app.server.address());
});
afterAll(() => api[Symbol.asyncDispose]());

const portOf = (address: unknown): number => (address as { port: number }).port;
const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);

/** Answers of a raw connection to requests that follow each other; each a status line, headers and a body. */
async function send(
  to: number,
  ...requests: readonly (readonly [string, Readonly<Record<string, string>>, string?])[]
) {
  const socket = connect(to, '127.0.0.1');
  const answers: { status: number; head: string; body: string }[] = [];
  let said = '';
  for (const [line, headers, body = ''] of requests) {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    socket.write(`${line} HTTP/1.1\r\n${headersOf({ ...headers, ...length }).join('')}\r\n${body}`);
    for (;;) {
      const end = said.indexOf('\r\n\r\n');
      const size = Number(/content-length: (\d+)/i.exec(said)?.[1] ?? 0);
      if (end >= 0 && said.length >= end + 4 + size) {
        const head = said.slice(0, end);
        answers.push({ status: Number(head.split(' ')[1]), head, body: said.slice(end + 4, end + 4 + size) });
        said = said.slice(end + 4 + size);
        break;
      }
      said += ((await once(socket, 'data'))[0] as Buffer).toString('latin1');
    }
  }
  socket.destroy();
  return answers;
}

/** The status alone: an answer may have no length, or go on. */
async function statusOf(line: string, headers: Readonly<Record<string, string>>): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${line} HTTP/1.1\r\n${headersOf(headers).join('')}\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return first.toString('latin1').split(' ')[1];
}

const h2c = {
  connection: 'Upgrade, HTTP2-Settings',
  upgrade: 'h2c',
  'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
};
const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

test.for(['h2c', 'H2C', 'TLS/1.0', 'TLS/1.0, HTTP/2.0', 'h2c, foo/2', 'websockets', ''])(
  'an offer to speak %j is ignored, with and without a body, and the connection goes on',
  async (upgrade) => {
    const headers = { ...h2c, upgrade };
    const { secret } = await api.key();
    const json = { ...headers, 'content-type': 'application/json', 'x-api-key': secret };
    const answers = await send(
      port,
      ['GET /v1/health', headers],
      ['POST /test/echo', json, '{"a":"§"}'],
      ['GET /v1/nowhere', headers],
      ['GET /v1/health', {}],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect(JSON.parse(Buffer.from(answers[1]?.body ?? '', 'latin1').toString())).toEqual({ a: '§' });
  },
);

test('every GET and POST route answers an offer of h2c as it answers without one', async () => {
  const document = (await api.app.inject('/v1/openapi.json')).json() as { paths: Record<string, object> };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    ['get', 'post'].filter((method) => method in methods).map((method) => [method.toUpperCase(), path] as const),
  );
  expect(routes.length).toBeGreaterThan(150);
  const differing = [];
  for (const [method, path] of routes) {
    const line = `${method} ${path.replaceAll(/\{[^}]+\}/g, '01a1fc5b-0711-78a0-9bec-a19fe873a55a')}`;
    const ask = async (headers: Record<string, string>) => await statusOf(line, headers);
    const [plain, offered] = [await ask({}), await ask(h2c)];
    if (plain !== offered) differing.push({ line, plain, offered });
  }
  expect(differing).toEqual([]);
});

test('a WebSocket among several protocols is opened; the case of its name does not matter', async () => {
  const { secret } = await api.key();
  for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket', 'WEBSOCKET, TLS/1.0']) {
    const [answer] = await send(port, ['GET /ws/v1/jobs', { ...handshake, upgrade, 'x-api-key': secret }]);
    expect(answer?.head, upgrade).toMatch(/^HTTP\/1\.1 101 [^]*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
  }
});

test.for([
  ['no key', '/ws/v1/jobs', { 'sec-websocket-key': '' }, 400, 'expected 16 bytes in base64, got ""'],
  ['a short key', '/ws/v1/jobs', { 'sec-websocket-key': 'abc' }, 400, 'expected 16 bytes in base64, got "abc"'],
  ['no version', '/ws/v1/jobs', { 'sec-websocket-version': '' }, 426, 'expected 13, got ""'],
  ['another version', '/ws/v1/jobs', { 'sec-websocket-version': '7' }, 426, 'expected 13, got "7"'],
  ['the version of a draft', '/ws/v1/jobs', { 'sec-websocket-version': '8' }, 426, 'expected 13, got "8"'],
  ['a path that is no stream', '/v1/health', {}, 400, 'expected an ordinary request, got a WebSocket upgrade'],
  ['a path of the studio', '/api/studio/v1', {}, 400, 'expected an ordinary request, got a WebSocket upgrade'],
  ['no path at all', '/ws/v1/nowhere', {}, 404, 'expected a path of this API'],
] as const)('a handshake with %s is refused with the request id', async ([, path, wrong, status, sentence]) => {
  const { secret } = await api.key();
  const headers = Object.entries({ ...handshake, ...wrong, 'x-api-key': secret, 'x-request-id': 'r-1' });
  const [answer] = await send(port, [`GET ${path}`, Object.fromEntries(headers.filter(([, value]) => value !== ''))]);
  expect(answer?.status).toBe(status);
  expect(answer?.head).toMatch(/x-request-id: r-1/i);
  expect(answer?.head).toMatch(/connection: .*close/i);
  expect(/sec-websocket-version: 13/i.test(answer?.head ?? '')).toBe(status === 426);
  const { error, ...problem } = JSON.parse(answer?.body ?? '') as { error?: Record<string, string> } & Record<
    string,
    unknown
  >;
  expect(error?.['message'] ?? problem['detail']).toContain(sentence.replace('""', 'nothing'));
  expect(error?.['request_id'] ?? problem['request_id']).toBe('r-1');
});

test.for(['a,,b', 'a,a', 'a , b, a', '', ',', 'a,', 'a b', 'a;b', 'a, "b"', 'ä'])(
  'every stream refuses the subprotocols %j as problem details',
  async (offered) => {
    const { secret } = await api.key();
    const streams = (await api.app.inject('/v1/asyncapi.json')).json() as { channels: Record<string, object> };
    const addresses = Object.values(streams.channels).map((channel) => (channel as { address: string }).address);
    const paths = addresses
      .filter((path) => path.startsWith('/ws/'))
      .map((path) => path.replaceAll(/\{[^}]+\}/g, 'SPX'));
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      const headers = { ...handshake, 'sec-websocket-protocol': offered, 'x-api-key': secret };
      const [answer] = await send(port, [`GET ${path}`, headers]);
      expect(answer?.head, path).toMatch(/^HTTP\/1\.1 400 [^]*content-type: application\/(problem\+)?json/i);
      expect(answer?.body, path).toContain(
        'header.sec-websocket-protocol: expected names between commas, each once, got',
      );
    }
  },
);

test('a stream that is offered subprotocols is opened', async () => {
  const { secret } = await api.key();
  const headers = { ...handshake, 'sec-websocket-protocol': 'v2.example ,\tv1.example', 'x-api-key': secret };
  const [answer] = await send(port, ['GET /ws/v1/jobs', headers]);
  expect(answer?.status).toBe(101);
});

test('an ordinary request for a stream is told to upgrade; without a key it is told to bring one', async () => {
  const { headers } = await api.key();
  const told = await api.app.inject({ url: '/ws/v1/jobs', headers });
  expect(told.json()).toMatchObject({ status: 426, code: 'upgrade_required' });
  expect(told.headers).toMatchObject({ upgrade: 'websocket', 'sec-websocket-version': '13' });
  expect((await api.app.inject('/ws/v1/jobs')).statusCode).toBe(401);
  // a body, or HTTP/1.0, cannot become a WebSocket: the request is answered as what it is
  const [posted] = await send(port, ['POST /ws/v1/jobs', { ...handshake, ...headers }, '{}']);
  expect(posted?.status).toBe(405);
});

test('a request of HTTP/1.0 that offers an upgrade is answered', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /v1/health HTTP/1.0\r\n${headersOf(handshake).join('')}\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('the metrics of a process are read by clients that offer h2c', async () => {
  await using metrics = await serveMetrics(api.context, async () => null);
  const answers = await send(metrics.port, ['GET /livez', { ...h2c, connection: 'Upgrade, close' }]);
  expect(answers[0]?.status).toBe(200);
});
