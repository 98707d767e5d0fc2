import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { agreed, type Poll, problem, type Registration, type Reply } from '../protocol/messages.ts';
import { faultOf } from '../protocol/misfit.ts';
import type { Call } from './call.ts';
import { serveSockets } from './socket.ts';
import type { World } from './world.ts';

/** Way to fail a request: before anything is done, after it was done, or by an answer of its own. */
export type Fault = 'cut' | 'lose' | Reply;

export interface Listening {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Fails requests as long as it is set. */
  fault: (call: Call) => Fault | undefined;
  /** Refuses connections until `up`. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
}

/** The protocol of a world over HTTP and the socket of workers, on a port of loopback. */
export async function listen(world: World, onCall: () => void): Promise<Listening> {
  const calls: Call[] = [];
  let server: Server;
  let cutSockets = () => {};
  const open = async (port: number) => {
    server = createServer((request, response) => {
      void serve(request, response).catch(() => response.destroy());
    });
    cutSockets = serveSockets(server, mayEnter, take);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(request);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const call = callOf(request, text);
    if (call === null)
      return send(response, problem(404, 'not_found', `no such path: ${request.method} ${request.url}`));
    const isKnown = keyOf(request) === agreed.key;
    const reply = isKnown ? await take(call, gone.signal) : wrongKey(world);
    if (reply === 'cut') response.destroy();
    else send(response, reply);
  };

  /** Carries a request out, unless a fault is set for it. */
  const take = async (call: Call, gone: AbortSignal): Promise<Reply | 'cut'> => {
    calls.push(call);
    onCall();
    const fault = listening.fault(call);
    if (fault === 'cut' || typeof fault === 'object') return fault;
    const reply = await carryOut(world, call, gone);
    return fault === 'lose' ? 'cut' : reply;
  };
  const mayEnter = (request: IncomingMessage) => {
    const isKnown = keyOf(request) === agreed.key;
    if (!isKnown) wrongKey(world);
    return isKnown;
  };

  const port = await open(0);
  const listening: Listening = {
    url: `http://127.0.0.1:${port}`,
    calls,
    fault: () => undefined,
    down: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      cutSockets();
      await closed;
    },
    up: async () => void (await open(port)),
  };
  return listening;
}

function callOf({ method = '', url = '' }: IncomingMessage, text: string): Call | null {
  const [, version, room, name = '', action = ''] = url.split('/').map(decodeURIComponent);
  const kind = kindOf(`${method} ${version}/${room}${name && '/*'}${action && `/${action}`}`);
  if (kind === undefined) return null;
  return { kind, of: name, body: (text === '' ? {} : JSON.parse(text)) as Call['body'] };
}

const kindOf = (route: string): Call['kind'] | undefined =>
  (
    ({
      'PUT v1/queues/*': 'contract',
      'POST v1/workers': 'register',
      'POST v1/workers/*/poll': 'poll',
      'POST v1/workers/*/report': 'report',
      'DELETE v1/workers/*': 'leave',
    }) as const
  )[route];

function keyOf({ headers }: IncomingMessage): string | undefined {
  return headers.authorization?.replace(/^Bearer /i, '') ?? String(headers['x-api-key']);
}

function wrongKey(world: World): Reply {
  world.violations.push('expected the key of PROOFLINE_KEY in every request, got another or none.');
  return problem(401, 'unauthorized', 'expected a key that is known.');
}

async function carryOut(world: World, { kind, of, body }: Call, gone: AbortSignal): Promise<Reply> {
  if (kind === 'contract') return contractReply(of, body);
  if (kind === 'leave') return world.leave(of);
  const wrong = faultOf(kind, body);
  if (wrong !== null) {
    world.violations.push(`${kind}: ${wrong}.`);
    return problem(400, 'invalid_request', wrong);
  }
  if (kind === 'register') return world.register(body as unknown as Registration);
  if (kind === 'poll') return await world.poll(of, body as unknown as Poll, gone);
  return world.report(of, body['reports'] as readonly unknown[]);
}

function contractReply(name: string, { version = 1, contract }: Call['body']): Reply {
  const at = new Date().toISOString();
  const digest = '0'.repeat(64);
  const body = { name, version, contract, digest, registered_by: 'key 1', registered_at: at, changed_at: at };
  return { status: 201, body };
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (body === null) return void response.writeHead(status, headers).end();
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
