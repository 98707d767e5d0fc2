import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

const program = chromiumProgram();
let api: TestApi;
let url: string;
beforeAll(async () => {
  api = await testApi();
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => await api[Symbol.asyncDispose]());

test('the page and all that it needs come from here, under a policy that allows no other host', async () => {
  const page = await fetch(`${url}/api/docs`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(assets.length).toBeGreaterThan(4);
  for (const address of assets) {
    const asset = await fetch(new URL(address, `${url}/api/docs`));
    await asset.body?.cancel();
    expect([address, asset.status, asset.headers.get('content-security-policy')]).toEqual([address, 200, policy]);
  }
});

test('what the page reads is the description of the platform', async () => {
  const [shown, described] = await Promise.all(
    ['/api/docs/json', '/api/openapi.json'].map(async (path) => (await fetch(url + path)).json()),
  );
  expect(shown).toEqual(described);
});

test.each(['/api/docs/../package.json', '/api/docs/static/%2e%2e/package.json', '/api/docs/static/none.js'])(
  'error: nothing else of the package is served: %s',
  async (path) => {
    expect((await api.app.inject(path)).statusCode).toBeGreaterThanOrEqual(400);
  },
);

const options = { skip: program === undefined };
const where = program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : '';

test(`a browser shows the routes and refuses nothing of the page${where}`, options, async () => {
  const browser = await chromium.launch({
    executablePath: program?.path ?? '',
    env: { ...process.env, ...program?.env },
  });
  try {
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())));
    page.on('pageerror', (error) => troubles.push(error.message));
    const hosts = new Set<string>();
    page.on('request', (request) => void hosts.add(new URL(request.url()).host));
    await page.goto(`${url}/api/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.info .title').innerText()).toContain('Proofline generation platform');
    await page.locator('.opblock-tag[data-tag=platform]').click();
    await page.getByText('/api/v2/families').first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status').filter({ hasText: '200' }).waitFor();
    expect(troubles).toEqual([]);
    expect([...hosts].filter((host) => host !== '' && host !== new URL(url).host)).toEqual([]);
  } finally {
    await browser.close();
  }
});
