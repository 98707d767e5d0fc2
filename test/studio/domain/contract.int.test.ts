import { sql } from 'slonik';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Scope, scopes } from '#src/lib/principal.ts';
import { type RouteRow, routeTable } from '#src/studio/domain/route-table.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { type DocumentedStatus, errorMisfit, isError } from '#test/studio/documented-errors.ts';

/** The documented errors of every route of the studio, provoked at each: status, message and code as its document tables them. */
const routes = routeTable.filter(({ path }) => path.startsWith('/api/studio/v1') || path.startsWith('/.well-known'));
const name = ({ method, path }: RouteRow) => `${method} ${path}`;
const named = (rows: readonly RouteRow[]) => rows.map((row) => [name(row), row] as const);
const closed = routes.filter(({ auth }) => auth !== 'none');

let api: TestApi;
let slow: TestApi;
beforeAll(async () => {
  api = await testApi();
  // one request a minute
  slow = await testApi({ RATE_STANDARD_PER_MINUTE: '1' });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await slow[Symbol.asyncDispose]();
});

async function call(on: TestApi, { method, path }: RouteRow, headers: Record<string, string>, query = '') {
  const url = path.replace('{id}', '01890000-0000-7000-8000-000000000000') + query;
  const hasBody = method === 'POST' || method === 'PATCH';
  return await on.app.inject({ method, url, headers, ...(hasBody && { payload: {} }) });
}

/** What is wrong with an answer that should be this error; nothing where it is exactly that. */
const misfit = (response: Awaited<ReturnType<typeof call>>, status: DocumentedStatus): string[] =>
  response.statusCode === status ? errorMisfit(response) : [`status: ${response.statusCode}, not ${status}`];

describe('400', () => {
  test.for(named(routes))('%s refuses a parameter that it does not know', async ([, route]) => {
    const { headers } = await api.key();
    expect(misfit(await call(api, route, headers, '?nonsense=1'), 400)).toEqual([]);
  });
});

describe('401', () => {
  test.for(named(closed))('%s needs credentials', async ([, route]) => {
    expect(misfit(await call(api, route, {}), 401)).toEqual([]);
  });

  test.for(named(routes))('%s refuses a key that does not exist', async ([, route]) => {
    const headers = { authorization: `Bearer sk-platform-${'0'.repeat(49)}` };
    expect(misfit(await call(api, route, headers), 401)).toEqual([]);
  });
});

describe('403', () => {
  // what any valid key may do
  const open = new Set(['studio.access.check']);
  const rows = closed.filter(({ capability = '' }) => !open.has(capability));
  test.for(named(rows))('%s needs its scope', async ([, route]) => {
    const { headers } = await api.key({ scopes: ['platform.mcp.read'] });
    expect(misfit(await call(api, route, headers), 403)).toEqual([]);
  });

  test.for(named(closed.filter(({ path }) => /decision|challenge/.test(path))))(
    '%s is not for keys',
    async ([, route]) => {
      const { headers } = await api.key();
      const { method, path } = route;
      const url = path.replace('{id}', '01890000-0000-7000-8000-000000000000');
      const payload = path.endsWith('decision') ? { decision: 'grant' } : {};
      expect(misfit(await api.app.inject({ method, url, headers, payload }), 403)).toEqual([]);
    },
  );

  const writes: readonly (readonly [string, Scope])[] = [
    ['brief', 'studio.brief'],
    ['plan', 'studio.plan'],
    ['render', 'studio.render'],
    ['publish', 'studio.publish'],
    ['worker/run', 'studio.worker'],
  ];
  test.for(writes)('%s takes %s alone', async ([path, scope]) => {
    const url = `/api/studio/v1/${path}`;
    const without = await api.key({ scopes: scopes.filter((one) => one !== scope) });
    expect((await api.app.inject({ method: 'POST', url, headers: without.headers, payload: {} })).statusCode).toBe(403);
    const with_ = await api.key({ scopes: [scope] });
    const response = await api.app.inject({ method: 'POST', url, headers: with_.headers, payload: {} });
    expect(response.statusCode).not.toBe(403);
  });
});

describe('429', () => {
  test.for(named(routes))('%s is limited', async ([, route]) => {
    const { headers } = await slow.key();
    await slow.app.inject({ url: '/v1/jobs', headers });
    const response = await call(slow, route, headers);
    expect(misfit(response, 429)).toEqual([]);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('500', () => {
  test('says so at every route, and nothing of why', async () => {
    await using broken = await testApi();
    // each looked up for the first time, which cannot succeed any more
    const keys = await Promise.all(routes.map(async () => await broken.key()));
    await broken.context.db.query(sql.unsafe`alter table keys rename to gone`);
    for (const [index, route] of routes.entries()) {
      const response = await call(broken, route, keys[index]?.headers ?? { 'x-api-key': '' });
      expect([name(route), misfit(response, 500)]).toEqual([name(route), []]);
      expect([name(route), response.body]).toEqual([name(route), expect.not.stringContaining('relation')]);
    }
  });
});

test('what no route takes is answered in the same shape', async () => {
  const { headers } = await api.key();
  const unknown = await api.app.inject({ url: '/api/studio/v1/nothing', headers });
  expect([unknown.statusCode, isError(unknown.json())]).toEqual([404, true]);
  const method = await api.app.inject({ method: 'DELETE', url: '/api/studio/v1/brief', headers });
  expect([method.statusCode, isError(method.json())]).toEqual([405, true]);
});
