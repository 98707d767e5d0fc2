import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const documents = ['/v1/openapi.json', '/api/v1/openapi.json', '/api/openapi.json', '/api/studio/v1/openapi'];
const madeUp: Readonly<Record<string, string>> = {
  symbol: 'SPX',
  name: 'analytics.fit',
  provider: 'local',
  step: 's1',
};

let api: TestApi;
let headers: Readonly<Record<string, string>>;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const folder = stack.use(testFolder());
  const redis = await startRedis(folder.path);
  api = stack.use(
    await testApi({
      REDIS_URL: redis.url,
      WAIT_MS: '200',
      RATE_STANDARD_PER_MINUTE: '100000',
      RATE_ANONYMOUS_PER_MINUTE: '100000',
    }),
  );
  ({ headers } = await api.key({ operator: true, human: 'ab'.repeat(32) }));
  await redis.stop();
  await until(() => api.context.redis.status !== 'ready');
});
afterAll(async () => await stack.disposeAsync());

interface Operation {
  readonly parameters?: readonly { in: string; name: string; required?: boolean; example?: unknown; schema?: any }[];
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** Address of every reading route that answers at once, with what its document requires. */
async function readingRoutes(): Promise<readonly string[]> {
  const found = await Promise.all(
    documents.map(async (url) => {
      const { paths } = (await api.app.inject(url)).json() as { paths: Record<string, { get?: Operation }> };
      return Object.entries(paths).flatMap(([path, { get }]) => {
        const isStream = Object.keys(get?.responses['200']?.content ?? {}).includes('text/event-stream');
        if (!get || isStream) return [];
        const query = (get.parameters ?? [])
          .filter((one) => one.in === 'query' && (one.required || one.name === 'symbol'))
          .map(({ name, schema, example }) => [
            name,
            String(example ?? schema?.examples?.[0] ?? schema?.enum?.[0] ?? 'SPX'),
          ]);
        const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => madeUp[name] ?? randomUUID());
        return [query.length === 0 ? at : `${at}?${new URLSearchParams(query).toString()}`];
      });
    }),
  );
  return [...new Set(found.flat())];
}

test('without Redis no route answers 500: each answers from Postgres, or says 503', { timeout: 300_000 }, async () => {
  const errors = vi.spyOn(api.app.log, 'error');
  const routes = await readingRoutes();
  expect(routes.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const url of routes) {
    const answer = await api.app.inject({ method: 'GET', url, headers });
    const isServed = answer.statusCode < 500 || answer.statusCode === 503;
    if (!isServed) wrong.push(`${url}: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  // one line a request, and no stack: the outage has a line of its own
  expect(errors.mock.calls.filter(([fields]) => 'err' in Object(fields))).toEqual([]);
});
