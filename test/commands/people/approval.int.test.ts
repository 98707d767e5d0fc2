import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { type CommandSystem, commandSystem } from '#test/commands/command-system.ts';
import { testFolder } from '#test/helpers/processes.ts';

let system: CommandSystem;
beforeAll(async () => {
  system = await commandSystem();
}, 240_000);
afterAll(async () => await system[Symbol.asyncDispose]());

/** What a start leaves in its home, with the person of its private identity provider. */
const readyText = (url: string) =>
  JSON.stringify({
    url,
    keys: { admin: 'sk-platform-none' },
    servers: { api: { pid: 1 }, identity: { private: true, person: { email: 'ada@example.com', password: 'secret' } } },
  });

test('approvals find the running system as jobs do: by --url or PROOFLINE_URL, else by what runs on the home', async () => {
  using folder = testFolder();
  const home = folder.path;
  const alone = { PROOFLINE_URL: '', PROOFLINE_HOME: home };
  for (const command of [['jobs'], ['approval', 'list'], ['approval', 'grant', 'x'], ['approval', 'decline', 'x']]) {
    const none = await system.run([...command, '--home', home], alone);
    expect(none, command.join(' ')).toEqual({
      exit: 2,
      output: expect.stringContaining(
        `expected --url with PROOFLINE_KEY, or a system that runs on ${home}; got neither`,
      ),
    });
    const wrong = await system.run([...command, '--home', home, '--url', 'ftp://x'], alone);
    expect(wrong.output, command.join(' ')).toContain('--url: expected an address');
  }
  // left by one that was killed: nobody is at its address, and no password is sent there
  writeFileSync(join(home, 'ready.json'), readyText('http://127.0.0.1:9'));
  const left = await system.run(['approval', 'list', '--home', home], alone);
  expect(left.output).toContain('its ready.json is left from one that was killed');
});

test('error: the password of the person of a home goes to no other address than its own', async () => {
  using folder = testFolder();
  const home = folder.path;
  await using _held = await takeHome(home);
  writeFileSync(join(home, 'ready.json'), readyText('http://127.0.0.1:9'));
  const other = await system.run(['approval', 'list', '--home', home]);
  expect(other.output).toContain(`expected the system at ${system.url} to run on ${home}`);
  expect(other.output).toContain('got one at http://127.0.0.1:9.');
});
