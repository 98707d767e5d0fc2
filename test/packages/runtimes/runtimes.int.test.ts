import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defineJob } from '@proofline/worker';
import { chromium } from 'playwright-core';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { type OpenApi, openApi } from '#test/packages/open-api.ts';
import { runtimes } from './runtimes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const folder = testFolder();
const client = join(folder.path, 'node_modules/@proofline/client');

const greet = defineJob({
  name: 'acme.greet',
  payload: Type.Object({ name: Type.String() }),
  result: Type.String(),
  run: async ({ payload: { name }, waitFor }) => {
    const { by } = await waitFor<{ by: string }>('go');
    return `hello ${name}, says ${by} ✓`;
  },
});

/** What the program gives, wherever it runs. */
const outcome = {
  followed: {
    isSameJob: true,
    isWhole: true,
    cuts: 2,
    types: ['queued', 'waiting', 'signalled', 'succeeded'],
    signals: [true, false],
    state: 'succeeded',
    metadata: { a: 'ä' },
    result: 'hello Ada, says Grace ✓',
  },
  many: { indexes: Array.from({ length: 25 }, (_, n) => n).join(), created: 24, errors: ['7 invalid_payload'] },
  cancelled: { state: 'cancelled', isJobFailed: true, code: 'cancelled', again: 'state_conflict' },
  refused: 'not_found',
  stopped: { inTime: 'timeout', bySignal: true, types: ['queued', true] },
};

// a folder in which the client is installed, as it is packed
beforeAll(async () => {
  mkdirSync(client, { recursive: true });
  copyFileSync(join(root, 'packages/client/package.json'), join(client, 'package.json'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, '-p', join(root, 'packages/client'), '--outDir', join(client, 'dist')]);
  writeFileSync(join(folder.path, 'package.json'), '{ "name": "app", "type": "module" }');
  copyFileSync(join(import.meta.dirname, 'program.mjs'), join(folder.path, 'program.mjs'));
  const [url, key] = ['process.argv[2]', 'process.argv[3]'];
  const main = `import { useAll } from './program.mjs';\nconsole.log(JSON.stringify(await useAll(${url}, ${key})));\n`;
  writeFileSync(join(folder.path, 'main.mjs'), main);
}, 120_000);

afterAll(() => folder[Symbol.dispose]());

async function serving(settings: Readonly<Record<string, string>> = {}): Promise<OpenApi> {
  const api = await openApi(settings);
  await api.serve([greet]);
  return api;
}

for (const { name, path, args } of runtimes())
  test(`${name}: jobs are submitted, followed over cuts, waited for and cancelled${path === undefined ? ' (skipped: it does not run here)' : ''}`, {
    skip: path === undefined,
    timeout: 120_000,
  }, async () => {
    await using api = await serving();
    const { stdout } = await run(path!, [...args, 'main.mjs', api.url, api.key], { cwd: folder.path });
    expect(JSON.parse(stdout)).toEqual(outcome);
  });

/** The folder as an application of its own would serve it. */
async function pageServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const imports = { '@proofline/client': '/node_modules/@proofline/client/dist/index.js' };
  const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer(({ url = '/' }, response) => {
    const isScript = /^[\w/@.-]+\.m?js$/.test(url) && !url.includes('..');
    if (url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (!isScript) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(folder.path, url)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const program = chromiumProgram();

test(`Chromium: the same in a page of another origin${program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : ''}`, {
  skip: program === undefined,
  timeout: 120_000,
}, async () => {
  await using app = await pageServer();
  await using api = await serving({ CORS_ORIGINS: app.url });
  await using browser = await chromium.launch({
    executablePath: program!.path,
    env: { ...process.env, ...program!.env },
  });
  const page = await browser.newPage();
  await page.goto(app.url);
  const given: unknown = await page.evaluate(
    `import('/program.mjs').then(({ useAll }) => useAll(${JSON.stringify(api.url)}, ${JSON.stringify(api.key)}))`,
  );
  expect(given).toEqual(outcome);
});
