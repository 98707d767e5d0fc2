import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

test('a limit is set, listed, read as one’s own and removed from the terminal', async () => {
  const { run } = system;
  expect((await run(['limits', 'set', 'queue_depth', '50000', '--owner', 'acme'])).output).toMatch(
    /^queue_depth +owner +acme +50000 /m,
  );
  expect((await run(['limits', 'set', 'queue_depth', '7000'])).exit).toBe(0);
  const listed = JSON.parse((await run(['limits', '--json'])).output);
  expect(listed.data).toMatchObject([
    { kind: 'queue_depth', scope: 'default', subject: '', most: 7_000 },
    { kind: 'queue_depth', scope: 'owner', subject: 'acme', most: 50_000 },
  ]);
  expect((await run(['limits', 'mine'])).output).toMatch(/^queue_depth +7000 +default$/m);
  expect((await run(['limits', 'remove', 'queue_depth', '--owner', 'acme'])).exit).toBe(0);
  expect((await run(['limits', 'remove', 'queue_depth'])).exit).toBe(0);
  expect((await run(['limits'])).output).toMatch(/^requests_per_minute +high +60000$/m);
});

test('error: two subjects, no number and an unknown limit are wrong use', async () => {
  const { run } = system;
  expect(await run(['limits', 'set', 'queue_depth', '1', '--owner', 'a', '--plan', 'high'])).toMatchObject({ exit: 2 });
  expect(await run(['limits', 'set', 'queue_depth', 'many'])).toMatchObject({ exit: 2 });
  expect(await run(['limits', 'set', 'wishes', '3'])).toMatchObject({ exit: 2 });
});
