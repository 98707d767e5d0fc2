import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build, defaultClientConditions } from 'vite';
import { expect, test } from 'vitest';
import { chromiumProgram } from '#test/helpers/chromium.ts';
import { until } from '#test/helpers/processes.ts';
import { event, json, openEvents, scriptedServer } from '#test/packages/scripted-server.ts';

const program = chromiumProgram();
const options = { skip: program === undefined, timeout: 120_000 };
const where = program === undefined ? ' (skipped: no Chromium here, and none can be unpacked)' : '';

/** The page as one script. */
async function script(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    resolve: { conditions: ['@proofline/source', ...defaultClientConditions] },
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['es'] } },
  });
  const [first] = [built].flat();
  const [chunk] = first && 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error('expected a script, got none');
  return chunk.code;
}

test(
  `in a browser a job and a stream are live, go on after a cut, and end with the component${where}`,
  options,
  async () => {
    const code = await script();
    const gates = { cut: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() };
    const cursors: (string | undefined)[] = [];
    let open = 0;
    await using server = await scriptedServer(async ({ path, headers }, response) => {
      if (path === '/')
        return void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<body><script type="module" src="/page.js"></script>');
      if (path === '/page.js') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
      if (path === '/v1/jobs/events') {
        openEvents(response);
        for (const n of [1, 2, 3]) event(response, 'changed', `s.${n}`);
        return;
      }
      if (path === '/v1/jobs/job-1')
        return json(response, 200, { state: 'succeeded', result: { url: 'y' }, error: null });
      if (!path.endsWith('/events')) return void response.writeHead(204).end();
      // strict mode looks twice, and gives up the first look at once
      if (response.destroyed) return;
      open += 1;
      response.on('close', () => {
        open -= 1;
      });
      cursors.push(headers['last-event-id']);
      openEvents(response);
      event(response, 'started', 'e.2');
      if (cursors.length === 1) {
        event(response, 'progress', null, { percent: 40 });
        await gates.cut.promise;
        return void response.destroy();
      }
      await gates.end.promise;
      event(response, 'succeeded', 'e.3');
    });
    await using browser = await chromium.launch({
      executablePath: program!.path,
      env: { ...process.env, ...program!.env },
    });
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    await page.goto(server.url);
    const shown = async () => JSON.parse((await page.locator('#job').textContent()) ?? '{}') as Record<string, unknown>;
    await expect.poll(() => page.locator('#stream').textContent()).toBe('s.2 s.3');
    expect(await shown()).toEqual({ result: null, error: null, isLive: false });

    await page.getByText('follow').click();
    await expect
      .poll(shown)
      .toEqual({ state: 'running', progress: { percent: 40 }, result: null, error: null, isLive: true });
    gates.cut.resolve();
    await until(() => cursors.includes('e.2'));
    await expect.poll(shown).toMatchObject({ state: 'running', isLive: true });
    // a component that shows it no more closes the connection
    await page.getByText('leave').click();
    await until(() => open === 0);
    await page.getByText('follow').click();
    await until(() => open === 1);
    gates.end.resolve();
    await expect.poll(shown).toMatchObject({ state: 'succeeded', result: { url: 'y' }, isLive: false });
    expect(troubles).toEqual([]);
  },
);
