import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { proofline } from '#src/commands/program.ts';
import { runHere } from './command-system.ts';

/** Every command with the words that lead to it. */
function commandsOf(command: Command, words: readonly string[] = []): { words: readonly string[]; command: Command }[] {
  const own = command.commands.flatMap((one) => commandsOf(one, [...words, one.name()]));
  return [{ words, command }, ...own];
}

const whole = await proofline();

const asksAnApi = commandsOf(whole).filter(({ words, command }) => {
  // `verify` believes the service that --url names and no other: whom to trust is never found by itself
  return words[0] !== 'verify' && command.options.some(({ long }) => long === '--url');
});

test('each command is loaded alone by its name, and all of them for any other word', async () => {
  const names = whole.commands.map((command) => command.name());
  expect(names).toEqual(expect.arrayContaining(['up', 'jobs', 'completion']));
  for (const name of names) {
    const { commands } = await proofline(name);
    expect([name, commands.map((command) => command.name())]).toEqual([name, [name]]);
  }
  for (const other of ['--help', 'jbos', 'constructor'])
    expect((await proofline(other)).commands.map((command) => command.name())).toEqual(names);
});

test('every command that asks an API takes --url, PROOFLINE_URL and --home, and needs none of them', () => {
  const names = asksAnApi.map(({ words }) => words.join(' '));
  expect(names).toEqual(
    expect.arrayContaining(['jobs list', 'mission create', 'key mint', 'human enrol', 'human prove']),
  );
  for (const { words, command } of asksAnApi) {
    const url = command.options.find(({ long }) => long === '--url');
    expect([...words, url?.mandatory, url?.envVar]).toEqual([...words, false, 'PROOFLINE_URL']);
    expect([...words, command.options.some(({ long }) => long === '--home')]).toEqual([...words, true]);
  }
});

test.for([
  [['calls'], /The key must be an operator's\./],
  [['calls', 'bill'], /The key must be an operator's\./],
  [['jobs'], /another key those of its own owner/],
  [['queues', 'list'], /another key those of its own owner/],
  [['workers'], /another key those of its own owner/],
  [['top'], /another key those of its own owner/],
] as const)('the help of %j says which keys may, and no other', async ([args, says]) => {
  const { output } = await runHere([...args, '--help'], none);
  expect(output).toMatch(says);
  expect(output.match(/The key must be an operator's|another key those of its own owner/g)).toHaveLength(1);
});

const none = { PROOFLINE_URL: '', PROOFLINE_KEY: '', PROOFLINE_HOME: '/nowhere' };

test.each([
  [['jobs', 'list']],
  [['mission', 'create', 'Take a snapshot of SPX']],
  [['mission', 'execute', 'one']],
  [['key', 'mint', '--identity', 'test/commands/program.test.ts']],
  [['human', 'enrol', '--identity', 'me.json', '--invite', 'x']],
  [['human', 'prove', 'x', '--identity', 'me.json']],
])('without an address %j says that no system runs on the home, and what to do', async (args) => {
  expect(await runHere(args, none)).toEqual({
    exit: 2,
    output: expect.stringMatching(
      /^expected --url with PROOFLINE_KEY, or a system that runs on \/nowhere; got neither/,
    ),
  });
});

test.each([
  [['queues', 'pauze', 'analytics.stress'], 'pauze', 'pause'],
  [['jobs', 'shwo', 'x'], 'shwo', 'show'],
  [['jobs', 'wiat'], 'wiat', 'wait'],
  [['key', 'mnt'], 'mnt', 'mint'],
  [['mision', 'create'], 'mision', 'mission'],
  [['human', 'invit'], 'invit', 'invite'],
])('error: a mistyped subcommand is named: %j', async (args, mistyped, meant) => {
  const { exit, output } = await runHere(args, none);
  expect(exit).toBe(2);
  expect(output).toMatch(new RegExp(`^error: unknown command '${mistyped}'.*\n\\(Did you mean (list or )?${meant}`));
});

test('every group of commands names an unknown one, also those that run one without a name', async () => {
  const groups = commandsOf(whole).filter(({ words, command }) => words.length > 0 && command.commands.length > 0);
  expect(groups.length).toBeGreaterThan(4);
  for (const { words } of groups) {
    const { exit, output } = await runHere([...words, 'qqqqqqqqqq'], none);
    expect([...words, exit, output.split('\n')[0]]).toEqual([
      ...words,
      2,
      expect.stringContaining("unknown command 'qqqqqqqqqq'"),
    ]);
  }
});
