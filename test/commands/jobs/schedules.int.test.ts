import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('a schedule is made, listed, shown, paused, resumed, run and removed from the terminal', async () => {
  const { api, run } = system;
  using folder = testFolder();
  const { headers } = await api.key({ owner: 'op', operator: true });
  const contract = { title: 'Resize', payload: { type: 'object' }, result: {} };
  await api.app.inject({ method: 'PUT', url: '/v1/queues/acme.resize-image', headers, payload: { contract } });
  const payload = join(folder.path, 'payload.json');
  writeFileSync(payload, '{"width": 8}');
  const put = async (...more: string[]) =>
    await run(['schedules', 'put', 'nightly', 'acme.resize-image', payload, ...more]);

  const made = await put('--cron', '0 7 * * 1-5', '--zone', 'Europe/London', '--overlap', 'queue', '--json');
  expect(made.exit, made.output).toBe(0);
  expect([made.exit, JSON.parse(made.output)]).toMatchObject([
    0,
    { cron: '0 7 * * 1-5', zone: 'Europe/London', overlap: 'queue', payload: { width: 8 } },
  ]);
  expect((await run(['schedules'])).output).toMatch(/^nightly +acme\.resize-image +0 7 \* \* 1-5 Europe\/London /m);
  const shown = await run(['schedules', 'show', 'nightly', '--json']);
  expect(JSON.parse(shown.output)).toMatchObject({ runs: [] });
  expect((await run(['schedules', 'pause', 'nightly'])).output).toMatch(/paused/);
  expect((await run(['schedules', 'resume', 'nightly'])).output).not.toMatch(/paused/);
  expect(await run(['schedules', 'run', 'nightly'])).toEqual({
    exit: 0,
    output: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
  });
  // another owner sees it by its owner's name, where the key is an operator's
  const { secret } = await api.key({ owner: 'other-op', operator: true });
  const asOperator = async (...args: string[]) => await run(['schedules', ...args], { PROOFLINE_KEY: secret });
  expect((await asOperator('list')).output).not.toContain('nightly');
  expect((await asOperator('list', '--owner', '*')).output).toMatch(/^op +nightly +acme\.resize-image /m);
  expect((await asOperator('list', '--owner', 'op')).output).toMatch(/^nightly /m);
  expect(await asOperator('show', 'nightly')).toMatchObject({ exit: 1 });
  expect((await asOperator('show', 'nightly', '--owner', 'op')).exit).toBe(0);
  expect((await asOperator('pause', 'nightly', '--owner', 'op')).output).toMatch(/paused/);
  expect((await asOperator('resume', 'nightly', '--owner', 'op')).output).not.toMatch(/paused/);
  const { secret: plain } = await api.key({ scopes: ['jobs.submit'] });
  expect(await run(['schedules', 'list', '--owner', '*'], { PROOFLINE_KEY: plain })).toMatchObject({ exit: 1 });
  expect((await put('--every', '300')).output).toMatch(/every 300 s/);
  expect(await put('--every', '300', '--cron', '* * * * *')).toMatchObject({ exit: 2 });
  expect(await put('--every', 'soon')).toMatchObject({ exit: 2, output: expect.stringContaining('--every') });
  expect(await put('--cron', '* * *')).toMatchObject({ exit: 2, output: expect.stringContaining('five fields') });
  expect((await run(['schedules', 'remove', 'nightly'])).exit).toBe(0);
  expect(await run(['schedules', 'show', 'nightly'])).toMatchObject({ exit: 1 });
});
