import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '#src/serve.ts';
import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

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

test('error: a port in use is told in one sentence, and nothing stays open', async () => {
  await using trial = await testConfig();
  await using context = await openContext(trial.config, 'api');
  await using first = await serve(context);
  const PORT = new URL(first.url).port;
  await using second = await openContext(loadConfig({ ...trial.env, PORT }), 'api');
  await expect(serve(second)).rejects.toThrow(`PORT: expected a free port of 127.0.0.1, got ${PORT}, which is in use`);
});
