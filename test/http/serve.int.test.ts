import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { serve } from '#src/api/serve.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder } from '#test/helpers/processes.ts';

test('a served process answers, shows metrics, and turns unready before it closes', async () => {
  await using trial = await testConfig({ DRAIN_DEADLINE_MS: '2000', UNREADY_MS: '300' });
  await using context = await openContext(trial.config, 'api');
  await once(context.redis, 'ready');
  const served = await serve(context);
  const metrics = `http://127.0.0.1:${served.metricsPort}`;
  expect((await fetch(`${served.url}/v1/health`)).status).toBe(200);
  expect(await (await fetch(`${served.url}/readyz`)).text()).toBe('ready\n');
  expect(await (await fetch(`${metrics}/metrics`)).text()).toContain('proofline_http_requests_total');

  // a request that is not finished keeps the API alive while it drains
  const slow = request(`${served.url}/v1/jobs`, { method: 'POST', headers: { 'content-length': 10 } });
  slow.on('error', () => {});
  slow.write('{');
  await once(slow, 'socket');
  const closing = served[Symbol.asyncDispose]();
  expect(await (await fetch(`${metrics}/readyz`)).text()).toBe('draining\n');
  expect((await fetch(`${served.url}/readyz`)).status).toBe(503);
  slow.destroy();
  await closing;
  await expect(fetch(`${served.url}/v1/health`)).rejects.toThrow('fetch failed');
  await expect(fetch(`${metrics}/readyz`)).rejects.toThrow('fetch failed');
});

test('while Redis is away an API process takes jobs, and says that it is ready for them', async () => {
  using folder = testFolder();
  const redis = await startRedis(folder.path, () => {});
  await using trial = await testConfig({ REDIS_URL: redis.url });
  await using context = await openContext(trial.config, 'api');
  await once(context.redis, 'ready');
  await using served = await serve(context);
  // an error comes first now and then, which `once` of events would reject with
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  context.redis.once('close', resolve);
  await redis.stop();
  await gone;
  const { job } = await submit(context, fit, { principal: { owner: 'owner-1' }, payload: { chainId: randomUUID() } });
  expect(job.state).toBe('queued');
  expect(await (await fetch(`${served.url}/readyz`)).text()).toBe('ready\n');
});

test('error: a port in use is reported in one sentence, and nothing stays open', async () => {
  await using trial = await testConfig();
  await using context = await openContext(trial.config, 'api');
  await using first = await serve(context);
  const PORT = new URL(first.url).port;
  await using second = await openContext(loadConfig({ ...trial.env, PORT }), 'api');
  await expect(serve(second)).rejects.toThrow(`PORT: expected a free port of 127.0.0.1, got ${PORT}, which is in use`);
});
