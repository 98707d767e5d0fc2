import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleFolder } from '#src/http/content/built-files.ts';
import { consoleRoutes } from '#src/http/content/console-routes.ts';
import { openEdge } from '#src/http/edge/edge.ts';
import { verifyPageRoutes } from '#src/receipts/routes/verify-page-routes.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testFolder } from '#test/helpers/processes.ts';

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
let open: (folder: string) => ReturnType<typeof openEdge>;
beforeAll(async () => {
  const { config } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'api'));
  open = async (folder) => {
    const app = await openEdge(context);
    stack.defer(() => app.close());
    await app.register(consoleRoutes, { folder });
    return app;
  };
});

test('every path of the console is the same page, and each answer lets scripts of its own nonce alone run', async () => {
  const app = await open(consoleFolder);
  const nonces = new Set<string>();
  for (const path of [
    '/',
    '/jobs',
    '/jobs/1',
    '/queues/acme.resize-image',
    '/flows/0198c0de-0000-7000-8000-000000000000',
    '/market/SPX',
    '/studio/briefs/1?tab=plan',
    '/missions',
    '/developers',
  ]) {
    const answer = await app.inject(path);
    const { headers, body } = answer;
    expect([answer.statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'nonce-[\w-]{22}'; style-src 'self' 'nonce-/);
    expect(policy).not.toContain('unsafe');
    const [, nonce = ''] = /'nonce-([\w-]+)'/.exec(policy) ?? [];
    nonces.add(nonce);
    const tags = [...body.matchAll(/<(?:script|style|link rel="(?:stylesheet|modulepreload)")[^>]*>/g)].map(
      ([tag]) => tag,
    );
    expect(tags.length).toBeGreaterThan(2);
    for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`);
    expect(headers['cache-control']).toBe('no-store');
  }
  expect(nonces.size).toBe(9);
});

test('its files come compressed, and may be kept for ever', async () => {
  const app = await open(consoleFolder);
  const [script = ''] = readdirSync(join(consoleFolder, 'console')).filter((name) => /^index-.*\.js$/.test(name));
  for (const coding of ['br', 'gzip']) {
    const { headers } = await app.inject({ url: `/console/${script}`, headers: { 'accept-encoding': coding } });
    expect(headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  }
  const plain = await app.inject({ url: `/console/${script}`, headers: { 'accept-encoding': 'identity' } });
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
  // where its version for developers says more
  expect(plain.body).not.toContain('https://react.dev/link/');
});

test('error: files that are not there are 404, also those beside the folder', async () => {
  const app = await open(consoleFolder);
  for (const path of ['/console/none.js', '/console/..%2Fbuilt-from.json', '/console/..%2Findex.html'])
    expect((await app.inject(path)).statusCode, path).toBe(404);
});

test('error: without a build the answer is what to run, of the page that checks receipts as well', async () => {
  using folder = testFolder();
  const app = await open(folder.path);
  await app.register(verifyPageRoutes, { built: folder.path });
  for (const path of ['/jobs', '/verify/page.js']) {
    const answer = await app.inject(path);
    expect([answer.statusCode, answer.json().detail], path).toEqual([
      503,
      expect.stringContaining('npm run proofline -- console'),
    ]);
  }
});
