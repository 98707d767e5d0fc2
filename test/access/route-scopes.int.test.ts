import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { type Scope, scopes } from '#src/lib/principal.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { initialize } from '#test/mcp/mcp-api.ts';
import { type MayCall, routeScopes, toolScopes } from './route-scopes.ts';

const documents = ['/v1/openapi.json', '/api/v1/openapi.json', '/api/openapi.json', '/api/studio/v1/openapi'];
const reading = new Set(['get', 'head', 'options', 'trace']);

type Headers = Readonly<Record<string, string>>;
interface Caller {
  /** The one scope that it holds; null for none. */
  readonly scope: Scope | null;
  readonly human: boolean;
  readonly id: string;
  readonly headers: Headers;
}

let api: TestApi;
let callers: readonly Caller[];
let operator: Headers;
beforeAll(async () => {
  // whoever tries every route must not be stopped for trying
  api = await testApi({ RATE_STANDARD_PER_MINUTE: '100000', RATE_ANONYMOUS_PER_MINUTE: '100000' });
  const asked = [...scopes, null].flatMap((scope) => [true, false].map((human) => ({ scope, human })));
  callers = await Promise.all(
    asked.map(async ({ scope, human }) => {
      const key = await api.key({ scopes: scope ? [scope] : [], human: human ? 'ab'.repeat(32) : null });
      return { scope, human, ...key };
    }),
  );
  ({ headers: operator } = await api.key({ scopes: [], operator: true }));
});
afterAll(async () => await api[Symbol.asyncDispose]());

/** Method and path of all that changes something, as the documents name it. */
async function mutatingRoutes(): Promise<readonly string[]> {
  const found = await Promise.all(
    documents.map(async (url) => {
      const answer = await api.app.inject(url);
      const { paths } = answer.json() as { paths: Record<string, object> };
      return Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations)
          .filter((method) => !reading.has(method))
          .map((method) => `${method.toUpperCase()} ${path}`),
      );
    }),
  );
  return [...new Set(found.flat())];
}

/** What a route is asked for where an empty body and a made-up id would not get as far as the question who calls. */
const bodies: Readonly<Record<string, object>> = {
  'POST /api/v1/keys': { name: 'n' },
  'POST /api/studio/v1/approvals/{id}/decision': { decision: 'grant' },
  'PATCH /api/v1/keys/{id}': { name: 'n' },
  'PATCH /api/studio/v1/keys/{id}': { name: 'n' },
};
const madeUp: Readonly<Record<string, string>> = {
  symbol: 'SPX',
  name: 'analytics.chain',
  provider: 'none',
  step: 's1',
};

async function jobOf(queue: string): Promise<string> {
  const { job } = await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } });
  await api.context.db.query(sql.unsafe`update jobs set queue = ${queue} where id = ${job.id}`);
  return job.id;
}

async function statusOf(route: string, headers: Headers, id: string = randomUUID()): Promise<number> {
  const [method, path] = route.split(' ') as ['POST', string];
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => madeUp[name] ?? id);
  const body = bodies[route] ?? (method === 'POST' ? {} : undefined);
  const answer = await api.app.inject({ method, url, headers, ...(body && { payload: body }) });
  expect(answer.statusCode, `${route} ${answer.body.slice(0, 200)}`).not.toBe(429);
  expect(answer.statusCode, `${route} ${answer.body.slice(0, 200)}`).toBeLessThan(500);
  return answer.statusCode;
}

const isRefused = (status: number) => status === 401 || status === 403;
const nameOf = ({ scope, human }: Caller) => `${scope ?? 'no scope'}${human ? ', human' : ''}`;

function expectedOf(may: MayCall): readonly string[] {
  if (may === 'anybody' || may === 'any key') return callers.map(nameOf);
  // of a key that is not there they learn no more than that
  if (may === 'itself') return callers.map(nameOf);
  if (may === 'itself, others with studio.read')
    return callers.filter(({ scope }) => scope === 'studio.read').map(nameOf);
  if (may === 'person' || may === 'token' || may === 'operator') return [];
  const { scopes: enough, human } = 'scopes' in may ? { human: false, ...may } : { scopes: may, human: false };
  return callers
    .filter((caller) => enough.some((scope) => scope === caller.scope) && (caller.human || !human))
    .map(nameOf);
}

test('every route that changes something is in the table, and the table names no other', async () => {
  expect((await mutatingRoutes()).toSorted()).toEqual(Object.keys(routeScopes).toSorted());
});

test('every route that changes something and is served is described, so that the table knows it', () => {
  const served = servedRoutes(api.app.printRoutes({ commonPrefix: false })).filter(
    (route) => !reading.has((route.split(' ')[0] ?? '').toLowerCase()),
  );
  expect(served.toSorted()).toEqual(Object.keys(routeScopes).toSorted());
});

/** Method and path of each route, from the tree that Fastify prints. */
function servedRoutes(tree: string): readonly string[] {
  const parts: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, branch = '', part = '', methods = ''] = /^([│├└─ ]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    parts.splice(branch.length / 4 - 1, Infinity, part);
    const path = parts.join('').replaceAll(/:(\w+)/g, '{$1}');
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`);
  });
}

test.each(Object.entries(routeScopes))('%s takes these scopes and no others, each alone', async (route, may) => {
  const taken: string[] = [];
  for (const caller of callers) {
    const id = /^(DELETE|POST) \/v1\/jobs\/{id}(\/signals.*)?$/.test(route)
      ? await jobOf('analytics.chain')
      : undefined;
    if (!isRefused(await statusOf(route, caller.headers, id))) taken.push(nameOf(caller));
  }
  expect(taken).toEqual(expectedOf(may));
  // without any credentials
  expect(isRefused(await statusOf(route, {}))).toBe(may !== 'anybody');
  if (may === 'operator' || (typeof may === 'object' && 'operator' in may))
    expect(isRefused(await statusOf(route, operator))).toBe(false);
});

test.each([
  ['studio.render', 'studio.render'],
  ['studio.publish', 'studio.publish'],
  ['analytics.chain', 'platform.mcp.execute'],
  ['acme.resize-image', 'jobs.submit'],
])('a job of %s is cancelled with %s and no other scope', async (queue, scope) => {
  const taken: string[] = [];
  for (const caller of callers.filter(({ human }) => !human)) {
    const status = await statusOf('DELETE /v1/jobs/{id}', caller.headers, await jobOf(queue));
    if (!isRefused(status)) taken.push(nameOf(caller));
  }
  expect(taken).toEqual([scope]);
});

test('no caller reaches what is another owner’s: a job, a key, its usage', async () => {
  const { headers } = await api.key({ owner: 'stranger' });
  const [first] = callers as [Caller];
  const reached = [
    await statusOf('DELETE /v1/jobs/{id}', headers, await jobOf('trial')),
    await statusOf('DELETE /api/v1/keys/{id}', headers, first.id),
    await statusOf('PATCH /api/v1/keys/{id}', headers, first.id),
    await statusOf('DELETE /api/studio/v1/keys/{id}', headers, first.id),
    await statusOf('PATCH /api/studio/v1/keys/{id}', headers, first.id),
    (await api.app.inject({ url: `/api/studio/v1/keys/${first.id}/usage`, headers })).statusCode,
  ];
  expect(reached).toEqual([404, 404, 404, 404, 404, 404]);
});

test('every tool of machine clients asks for the scope of the table, and no other suffices', async () => {
  const ask = async (headers: Headers, message: object) =>
    await api.app.inject({
      method: 'POST',
      url: '/api/mcp',
      headers: { ...headers, host: '127.0.0.1', accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, ...message },
    });
  const taken: Record<string, string[]> = {};
  for (const caller of callers.filter(({ human }) => human)) {
    const opened = await ask(caller.headers, initialize());
    const headers = { ...caller.headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const list = await ask(headers, { method: 'tools/list', params: {} });
    const names = [...list.body.matchAll(/"name":"((?:agent|studio|job)_\w+|explore)"/g)].map(([, name]) =>
      String(name),
    );
    expect(new Set(names)).toEqual(new Set(Object.keys(toolScopes)));
    for (const name of Object.keys(toolScopes)) {
      const { statusCode } = await ask(headers, { method: 'tools/call', params: { name, arguments: {} } });
      if (!isRefused(statusCode)) (taken[name] ??= []).push(String(caller.scope));
    }
  }
  const all = [...scopes, null].map(String);
  const expected = Object.entries(toolScopes).map(([name, scope]) => [name, scope === null ? all : [scope]]);
  expect(taken).toEqual(Object.fromEntries(expected));
});
