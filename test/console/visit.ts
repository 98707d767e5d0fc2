import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Folder of the pictures, for readers of a run, and for docs/console.md. */
export const screenshots = join(import.meta.dirname, '../../artifacts/screenshots');

/** A person at a page. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Errors in the console, requests that failed, and answers that refuse, so far. */
  readonly troubles: readonly string[];
  /** Bytes of scripts that came over the line so far, compressed as they came. */
  readonly scriptBytes: () => Promise<number>;
  /** Keeps what is seen now, as `<name>-<width>-<scheme>.png`: all of the page. */
  readonly screenshot: (name: string) => Promise<void>;
  /** Serious and critical faults that axe finds, each with where. */
  readonly faults: () => Promise<readonly string[]>;
  /** Whether all fits into the window's width. */
  readonly fits: () => Promise<boolean>;
  /** Every request has been answered, or has failed. */
  readonly settled: () => Promise<void>;
  /** Nothing went wrong, nothing is inaccessible, nothing is cut off; and keeps what is seen. */
  readonly isSound: (name: string) => Promise<void>;
}

/** Longest wait for one thing in a page, in milliseconds: Playwright's own 30 s are too short where others use the machine. */
export const waitMs = 60_000;

/** Opens an address in a window of its own, which is closed at the end. */
export async function openVisit(window: BrowserContext, address: string): Promise<Visit> {
  window.setDefaultTimeout(waitMs);
  const page = await window.newPage();
  const troubles: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('console', (message) => void (message.type() === 'error' && troubles.push(message.text())));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // what a page that is left, or looks at something else, asks for no longer
    if (reason !== 'net::ERR_ABORTED') troubles.push(`${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.url()}: ${response.status()}`);
    if (response.request().resourceType() !== 'script') return;
    const size = sizeOf(response.headerValue('content-length'));
    // scripts of a page that is left while they come are not needed; a page that needs them gets the error
    size.catch(() => {});
    sizes.push(size);
  });
  await page.goto(address);
  const faults = async () => {
    await page.evaluate(`${axe.source};undefined`);
    return (await page.evaluate(findFaults)) as string[];
  };
  const fits = async () => (await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) as boolean;
  // Playwright's own wait for a function would evaluate text in the page, which the page does not allow
  const settled = async () => await expect.poll(() => page.locator('[data-loading]').count()).toBe(0);
  const screenshot = async (name: string) => {
    mkdirSync(screenshots, { recursive: true });
    await page.evaluate('scrollTo(0, 0)');
    const { width = 0 } = page.viewportSize() ?? {};
    const dark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
    await page.screenshot({
      path: join(screenshots, `${name}-${width}-${dark === true ? 'dark' : 'light'}.png`),
      fullPage: true,
      animations: 'disabled',
    });
  };
  return {
    page,
    troubles,
    scriptBytes: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    screenshot,
    faults,
    fits,
    settled,
    isSound: async (name) => {
      await settled();
      await screenshot(name);
      expect(await faults(), 'faults that axe finds').toEqual([]);
      expect(await fits(), 'all fits into the width').toBe(true);
      expect(troubles, 'troubles').toEqual([]);
    },
    [Symbol.asyncDispose]: () => window.close(),
  };
}

async function sizeOf(length: Promise<string | null>): Promise<number> {
  const size = Number(await length);
  if (!(size > 0)) throw new Error(`expected a script that says its length, got ${size}`);
  return size;
}

const findFaults = `(async () => {
  const { violations, incomplete } = await axe.run(document, { resultTypes: ['violations', 'incomplete'] });
  // text in the colour of its ground is hidden on purpose, axe thinks
  const unseen = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .map((one) => ({ ...one, nodes: one.nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === 'equalRatio')) }));
  return [...violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'), ...unseen]
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + target.join(' ') + ': ' + failureSummary));
})()`;
