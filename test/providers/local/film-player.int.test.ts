import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { named, openLocalCalls } from './local-calls.ts';

const program = chromiumProgram();
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

const options = { skip: program === undefined };
const where = program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : '';

test(`a browser plays a film, with its captions${where}`, options, async () => {
  const local = stack.use(await openLocalCalls());
  const made = await local.generate('video.generate', { prompt: 'A harbour wakes.', resolution: 180, seconds: 3 });
  const origin = await serve({
    '/': { type: 'text/html', bytes: '<video id="film" src="/film" muted><track src="/captions" default></video>' },
    '/film': { type: 'video/mp4', bytes: named(made, 'video').bytes },
    '/captions': { type: 'text/vtt', bytes: named(made, 'captions').bytes },
  });
  const browser = await chromium.launch({
    executablePath: program?.path ?? '',
    env: { ...process.env, ...program?.env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  await page.evaluate('document.getElementById("film").play()');
  await page.waitForFunction('document.getElementById("film").currentTime > 0.5');
  const seen = await page.evaluate(
    '(({ videoWidth, videoHeight, duration, error, textTracks }) => ({ videoWidth, videoHeight, duration, error, cues: textTracks[0].cues.length }))(document.getElementById("film"))',
  );
  expect(seen).toMatchObject({ videoWidth: 320, videoHeight: 180, error: null, cues: 1 });
  expect((seen as { duration: number }).duration).toBeCloseTo(3, 1);
});

interface Served {
  readonly type: string;
  readonly bytes: string | Uint8Array;
}

/** A small server of files in memory; Chromium asks for a film's parts, and takes all of it for an answer. */
async function serve(files: Readonly<Record<string, Served>>): Promise<string> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
  });
  stack.defer(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
