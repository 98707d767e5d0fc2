import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { until } from '#test/helpers/processes.ts';
import { type SilentProxy, silentProxy } from '#test/helpers/servers/silent-proxy.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

/** Nothing here waits for the line to come back: what has no answer while it is silent is seen by the end of the test. */
const patient = { timeout: 60_000 };

let stack: AsyncDisposableStack;
let line: SilentProxy;
let api: TestApi;
let base: string;
let headers: Record<string, string>;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  line = stack.use(await silentProxy(database.url));
  api = stack.use(await testApi({ DATABASE_URL: line.url }));
  base = await api.app.listen({ port: 0 });
  headers = (await api.key({ operator: true })).headers;
  // opened connections, and a key that is known for some seconds
  if ((await status('/v1/jobs')) !== 200) throw new Error('the API does not answer before the line is silent');
}, 60_000);
afterEach(async () => {
  line.resume();
  await stack.disposeAsync();
});

/** Of the head alone: a stream that opens has no end. */
const status = async (path: string) => {
  const answer = await fetch(new URL(path, base), { headers, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.status;
};

const submission = (idempotencyKey: string) =>
  submit(api.context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' }, idempotencyKey });

const count = async () => Number(await api.context.db.oneFirst(sql.unsafe`select count(*) from jobs`));

test(
  'the first request after Postgres hangs is answered 503 while it hangs, and so are all others',
  patient,
  async () => {
    const { job } = await submission('before');
    line.silence();
    const first = await fetch(`${base}/v1/jobs`, { headers });
    expect([first.status, await first.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);
    const id = job.id;
    const urls = api.app.routeList
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replaceAll(/\{\w+\}/g, id).replace('*', 'x'));
    expect(urls).toEqual(
      expect.arrayContaining([`/v1/jobs/${id}/events`, `/api/v1/receipts/${id}/verify`, '/v1/jobs']),
    );
    const answers = await Promise.all(
      [...urls, '/readyz', '/auth/sign-in'].map(async (url) => [url, await status(url)] as const),
    );
    expect(answers.filter(([, code]) => code >= 500 && code !== 503)).toEqual([]);
    expect(Object.fromEntries(answers)).toMatchObject({
      '/readyz': 503,
      '/v1/jobs': 503,
      [`/v1/jobs/${id}/events`]: 503,
    });
  },
);

test(
  'what is submitted while Postgres hangs is refused, or taken once; when it goes on, so does everything',
  patient,
  async () => {
    line.silence();
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const refused = await Promise.allSettled(keys.map(submission));
    for (const one of refused) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    line.resume();
    await until(async () => (await status('/v1/jobs')) === 200 && (await status('/readyz')) === 200);
    for (const key of keys) await submission(key);
    expect(await count()).toBe(keys.length);
  },
);

test(
  'a line that swallows only the connections that are open costs a request each, and no others',
  patient,
  async () => {
    await submission('one');
    line.silenceOld();
    const codes: number[] = [];
    await until(async () => {
      codes.push(await status('/v1/jobs'));
      return codes.at(-1) === 200;
    });
    expect(new Set(codes.slice(0, -1))).toEqual(new Set([503]));
    // what reads has found its new connections; the life of jobs has up to six of its own
    const refusals: unknown[] = [];
    await until(
      async () =>
        await submission('two').then(
          () => true,
          (error: unknown) => {
            refusals.push(error);
            return false;
          },
        ),
    );
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'unavailable' });
    expect(refusals.length).toBeLessThanOrEqual(6);
    expect(await count()).toBe(2);
  },
);

test('a statement that takes long is left alone while the server answers others', patient, async () => {
  // longer than a server may be silent
  const slow = api.context.db.oneFirst(sql.unsafe`select 1 from (select pg_sleep(6)) as s`);
  const many = Array.from({ length: 5 }, async () => await status('/v1/jobs'));
  expect(await Promise.all(many)).toEqual([200, 200, 200, 200, 200]);
  expect(await slow).toBe(1);
});
