import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEdge } from '#src/http/edge/edge.ts';
import { openSealKeys } from '#src/receipts/keys/seal-keys.ts';
import { sealKeyRoutes } from '#src/receipts/routes/seal-key-routes.ts';
import { verifyPageRoutes } from '#src/receipts/routes/verify-page-routes.ts';
import { trustPaths } from '#src/receipts/verify/read-trust.ts';
import { openContext } from '#src/system/context.ts';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { testConfig } from '#test/helpers/config.ts';
import { chainEndpoint } from '#test/receipts/chain-endpoint.ts';
import { address, anchored, anchoredManifest, chain, onOneChain, sealedReceipt } from '#test/receipts/sample.ts';

const program = chromiumProgram();
const stack = new AsyncDisposableStack();
let scene: Awaited<ReturnType<typeof openScene>>;

async function openScene(browserPath: string, env: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), 'proofline-page-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'seal-key.json');
  const { signer, manifest } = await openSealKeys(file, () => new Date('2026-11-21T00:00:00.000Z'))();
  const sealed = await anchored(await sealedReceipt(signer));
  const { receipt } = sealed;
  const ofKeys = await anchoredManifest(receipt, manifest);
  const answers = onOneChain(sealed.answers, ofKeys.answers);
  const endpoint = stack.use(await chainEndpoint((call) => answers[call] ?? null));
  const accounts = async () => [{ chain, address }];
  const { config } = stack.use(await testConfig({ SEAL_KEY_FILE: file }));
  const context = stack.use(await openContext(config, 'api'));
  // these routes alone: whose accounts the page is shown is theirs to be told
  const app = await openEdge(context);
  stack.defer(() => app.close());
  await app.register(sealKeyRoutes, { context, accounts });
  await app.register(verifyPageRoutes);
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await chromium.launch({
    executablePath: browserPath,
    env: { ...process.env, ...env },
  });
  stack.defer(() => browser.close());
  return {
    text: JSON.stringify(receipt),
    manifestAnchors: ofKeys.anchors,
    rpc: endpoint.url,
    url: `${url}/verify`,
    browser,
  };
}

beforeAll(async () => {
  if (program) scene = await openScene(program.path, program.env);
});
afterAll(() => stack.disposeAsync());

/** The page, in a browser that notes everything that it refuses or that goes wrong. */
async function openPage(colorScheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; troubles: string[] }> {
  const page = await scene.browser.newPage({ colorScheme });
  const troubles: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(scene.url);
  return { page, troubles };
}

async function verdicts(page: Page): Promise<readonly string[]> {
  await page.waitForSelector('#result[aria-busy=false] h2');
  return await page.locator('#result h2').allInnerTexts();
}

const options = { skip: program === undefined };
const where = program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : '';
const allPass = ['Integrity pass', 'Authenticity pass', 'Anchor pass'];

test(`a person with a keyboard alone pastes a receipt and sees every check${where}`, options, async () => {
  const { page, troubles } = await openPage();
  await page.route(`**${trustPaths.manifestAnchors}`, (route) => route.fulfill({ json: scene.manifestAnchors }));
  const focused = async () => await page.evaluate('document.activeElement.id || document.activeElement.tagName');
  const order: unknown[] = [];
  for (const typed of [null, null, scene.text, scene.rpc, null]) {
    await page.keyboard.press('Tab');
    order.push(await focused());
    if (typed !== null) await page.keyboard.insertText(typed);
  }
  expect(order).toEqual(['A', 'file', 'text', 'rpc', 'BUTTON']);
  await page.keyboard.press('Enter');
  expect(await verdicts(page)).toEqual(allPass);
  expect(await page.locator('#result li').count()).toBe(15);
  expect(await page.locator('#result .reason').first().innerText()).toBe('Every member is there, and no other.');
  expect(await focused()).toBe('result');
  expect(troubles).toEqual([]);
});

test(
  `a receipt that the address names must be the one of that id; one that is pasted may be of any${where}`,
  options,
  async () => {
    const { page } = await openPage();
    await page.route('**/api/v1/receipts/*', (route) =>
      route.fulfill({ body: scene.text, contentType: 'application/json' }),
    );
    await page.goto(`${scene.url}?receipt=0198c0de-0000-7000-8000-000000000000`);
    expect((await verdicts(page))[0]).toBe('Integrity fail');
    expect(await page.locator('#result').innerText()).toContain(
      'expected the receipt 0198c0de-0000-7000-8000-000000000000',
    );
    await page.fill('#text', `${scene.text} `);
    await page.click('button');
    await page.locator('#result h2', { hasText: 'Integrity pass' }).waitFor();
    await page.goto(`${scene.url}?receipt=${JSON.parse(scene.text).id}`);
    expect((await verdicts(page))[0]).toBe('Integrity pass');
  },
);

test(`a file that is chosen, and one that is dropped, are checked at once${where}`, options, async () => {
  const { page, troubles } = await openPage();
  const changed = scene.text.replace('"outcome":"succeeded"', '"outcome":"failed"');
  await page.setInputFiles('#file', {
    name: 'receipt.json',
    mimeType: 'application/json',
    buffer: Buffer.from(changed),
  });
  expect(await verdicts(page)).toEqual(['Integrity fail', 'Authenticity fail', 'Anchor fail']);
  expect(await page.locator('#result').innerText()).toContain('expected the root 0x');
  await page.reload();
  const drop = `(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(scene.text)}], 'receipt.json'));
    document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  })()`;
  await page.evaluate(drop);
  // nobody named an endpoint
  expect(await verdicts(page)).toEqual(['Integrity pass', 'Authenticity pass', 'Anchor not-checked']);
  expect(troubles).toEqual([]);
});

test(
  `a receipt of this service that the address names is fetched and checked; one that is not there is said${where}`,
  options,
  async () => {
    const { page, troubles } = await openPage();
    const { id } = JSON.parse(scene.text) as { id: string };
    await page.route(`**/api/v1/receipts/${id}`, (route) => route.fulfill({ body: scene.text }));
    await page.goto(`${scene.url}?receipt=${id}`);
    expect(await verdicts(page)).toEqual(['Integrity pass', 'Authenticity pass', 'Anchor not-checked']);
    expect(await page.inputValue('#text')).toBe(scene.text);
    expect(troubles).toEqual([]);
    await page.goto(`${scene.url}?receipt=..%2Fnone`);
    await page.locator('#result', { hasText: 'This service has no receipt ../none' }).waitFor();
  },
);

test(`where a chain is named, the manifest of the keys must be on it${where}`, options, async () => {
  const { page, troubles } = await openPage();
  await page.fill('#text', scene.text);
  await page.fill('#rpc', scene.rpc);
  await page.click('button');
  expect(await verdicts(page)).toEqual(['Integrity pass', 'Authenticity pending', 'Anchor pass']);
  expect(await page.locator('#result').innerText()).toContain('Version 1 of the manifest is not anchored yet.');
  expect(troubles).toEqual([]);
});

test(`error: what is no receipt, and an endpoint that is none, are said in words${where}`, options, async () => {
  const { page } = await openPage();
  await page.fill('#text', '{"a":1,"a":2}');
  await page.click('button');
  expect(await verdicts(page)).toEqual(['Not a receipt fail']);
  expect(await page.locator('#result').innerText()).toContain('expected every name once in an object');
  await page.fill('#text', '<img src=x onerror=alert(1)>');
  await page.click('button');
  await page.locator('#result', { hasText: 'Unexpected token' }).waitFor();
  expect(await page.locator('#result img').count()).toBe(0);
  await page.fill('#text', scene.text);
  await page.fill('#rpc', 'http://127.0.0.1:1');
  await page.click('button');
  await page.locator('#result h2', { hasText: 'Anchor not-checked' }).waitFor();
});

test.each(['light', 'dark'] as const)(
  `in %s every text stands out from its ground (4.5 to 1)${where}`,
  options,
  async (scheme) => {
    const { page } = await openPage(scheme);
    await page.fill('#text', scene.text.replace('"count":4', '"count":5'));
    await page.click('button');
    await verdicts(page);
    const ratios = (await page.evaluate(contrasts)) as Record<string, number>;
    expect(Object.keys(ratios)).toEqual(
      expect.arrayContaining(['h1', 'a', 'button', '.pass', '.fail', '.reason', 'textarea']),
    );
    for (const [what, ratio] of Object.entries(ratios)) expect(ratio, what).toBeGreaterThanOrEqual(4.5);
    const dark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
    expect(dark).toBe(scheme === 'dark');
  },
);

test(`the page cannot run what is not its own script${where}`, options, async () => {
  const { page, troubles } = await openPage();
  await page
    .evaluate(
      "document.body.appendChild(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))",
    )
    .catch(() => null);
  await page.evaluate(
    "const s = document.createElement('style'); s.textContent = 'h1 { display: none }'; document.head.append(s)",
  );
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(await page.locator('h1').isVisible()).toBe(true);
  expect(troubles.join('\n')).toMatch(/Content Security Policy/);
});

/** Contrast of texts with what they stand on. @see WCAG 2.2, relative luminance and contrast ratio */
const contrasts = `(() => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const luminance = (color) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return color === 'rgba(0, 0, 0, 0)' ? ground(node.parentElement) : color;
  };
  const found = {};
  for (const what of ['h1', 'a', 'p', 'label', '#drop span', 'textarea', 'button', 'h2', '.reason', '.pass', '.fail', '.not-checked']) {
    const node = document.querySelector(what);
    if (!node) continue;
    const [high, low] = [luminance(getComputedStyle(node).color), luminance(ground(node))].sort((a, b) => b - a);
    found[what] = (high + 0.05) / (low + 0.05);
  }
  return found;
})()`;
