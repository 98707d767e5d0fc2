import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('an endpoint is added, listed, tested, given a new secret and removed from the terminal', async () => {
  const { run } = system;
  const add = async (...more: string[]) => await run(['endpoints', 'add', 'https://receiver.invalid/hooks', ...more]);
  const made = await add(
    '--events',
    'job.failed,approval.*',
    '--queues',
    'acme.one, acme.two',
    '--title',
    'on-call',
    '--json',
  );
  expect(made.exit, made.output).toBe(0);
  const { id, secret, queues } = JSON.parse(made.output);
  expect([secret, queues]).toEqual([expect.stringMatching(/^whsec_/), ['acme.one', 'acme.two']]);
  expect((await run(['endpoints'])).output).toMatch(
    /on-call +raw +https:\/\/receiver\.invalid\/hooks +job\.failed, approval\.\* +enabled/,
  );
  // there is no such receiver
  expect(await run(['endpoints', 'test', id])).toMatchObject({
    exit: 1,
    output: expect.stringContaining('not delivered'),
  });
  const rotated = await run(['endpoints', 'rotate', id]);
  expect(rotated.output).toMatch(/whsec_/);
  expect(rotated.output).not.toContain(secret);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  expect(await run(['endpoints', 'replay', id, '--from', from])).toEqual({ exit: 0, output: '0 are sent again.\n' });
  expect(await run(['endpoints', 'replay', id, '--state', 'failed'])).toMatchObject({ exit: 2 });
  expect((await run(['endpoints', 'log', '--endpoint', id, '--json'])).output).toContain('"data":');
  expect(await add('--events', 'nothing.*')).toMatchObject({ exit: 2, output: expect.stringContaining('body.events') });
  expect((await run(['endpoints', 'remove', id])).exit).toBe(0);
  expect(await run(['endpoints', 'remove', id])).toMatchObject({ exit: 1 });
});
