import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { type Level, levelsOf } from '#src/commands/completion/command-levels.ts';
import { bashScript, fishScript, zshScript } from '#src/commands/completion/completion-scripts.ts';
import { proofline } from '#src/commands/program.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';

const levels = levelsOf(await proofline());
const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Words of a command line up to the one that is completed, and what may come there (some of it). */
const cases: readonly [words: string[], some: string[], not: string[]][] = [
  [['jo'], ['jobs'], ['queues']],
  [['jobs', ''], ['list', 'show', 'wait'], ['jobs']],
  [['jobs', '--st'], ['--state'], ['--queue']],
  [['jobs', 'list', '--state', 'f'], ['failed'], ['queued']],
  [['jobs', '--json', '--state', 'aw'], ['awaiting_approval'], ['failed']],
  // what an option takes is no command
  [['jobs', '--owner', 'list', '--que'], ['--queue'], []],
  [['jobs', '--queue', 'analytics.st'], ['analytics.stress', 'analytics.study'], ['studio.render']],
  [['jobs', 'cancel', '--queue', 'flows'], ['flows.run'], []],
  [['queues', 'pause', 'studio.'], ['studio.render'], ['analytics.fit']],
  [['queues', 'pause', 'studio.render', ''], [], ['studio.render']],
  [['jobs', 'redrive', 'id', '--unknown-effects', ''], ['send_again', 'assume_done'], []],
  [['worker', 'studio', 'ana'], ['analytics'], []],
  [['picture', 'p'], ['profile'], ['surface']],
  [['verify', '--jwks', 'key'], ['keys.json'], []],
  [['ingest', 'SPX', 'key'], ['keys.json'], []],
  [['completion', ''], ['bash', 'zsh', 'fish'], []],
];

/** The cases that come out otherwise. */
function misses(complete: (words: readonly string[]) => readonly string[]) {
  return cases
    .map(([words, some, not]) => ({ words, some, not, got: complete(words) }))
    .filter(
      ({ some, not, got }) => !some.every((word) => got.includes(word)) || not.some((word) => got.includes(word)),
    );
}

test('the help of a queue lists no names as if there were no others', async () => {
  const jobs = (await proofline()).commands.find((command) => command.name() === 'jobs');
  const help = jobs?.commands.find((command) => command.name() === 'cancel')?.helpInformation();
  expect(help).toContain('--queue <queue>');
  expect(help).not.toContain('analytics.fit');
});

/** A folder with a script of completion, and a file to be found. */
function withScript(render: (known: readonly Level[]) => string) {
  const folder = testFolder();
  const file = join(folder.path, 'completion');
  writeFileSync(file, render(levels));
  writeFileSync(join(folder.path, 'keys.json'), '{}');
  const run = (program: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder.path, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter(Boolean);
  };
  return { file, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test.skipIf(!has('bash'))('bash completes commands, options, their values, and files', () => {
  using script = withScript(bashScript);
  const code = `source "$0"; COMP_WORDS=(proofline "$@"); COMP_CWORD=$#; _proofline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(misses((words) => script.run('bash', ['--norc', '-c', code, script.file, ...words]))).toEqual([]);
  // bash makes three words of it
  expect(script.run('bash', ['--norc', '-c', code, script.file, 'jobs', '--state', '=', 'ru'])).toEqual(['running']);
});

test.skipIf(!has('zsh'))('zsh completes commands, options, their values, and files', () => {
  using script = withScript(zshScript);
  // what zsh has only while a key is pressed, told instead of done; behind -o it describes options, and wants a dash first
  const code = `compdef() { }; _files() { print -rl -- * };
    _describe() { [[ $1 == -o && $words[CURRENT] != -* ]] || print -rl -- "\${(@)list%%:*}" }
    compadd() { shift; print -rl -- "$@" }; source "$0"; words=(proofline "$@"); CURRENT=$#words; _proofline; true`;
  const complete = (words: readonly string[]) =>
    script.run('zsh', ['-f', '-c', code, script.file, ...words]).filter((word) => word.startsWith(words.at(-1) ?? ''));
  expect(misses(complete)).toEqual([]);
});

test.skipIf(!has('fish'))('fish completes commands, options, their values, and files', () => {
  using script = withScript(fishScript);
  const complete = (words: readonly string[]) =>
    script
      .run('fish', ['--no-config', '-c', `source ${script.file}; complete -C "proofline ${words.join(' ')}"`])
      .map((line) => line.split('\t')[0] ?? '');
  expect(misses(complete)).toEqual([]);
});

test.skipIf(!has('bash') || !has('script'))('a Tab in a shell that somebody types into completes', async () => {
  using script = withScript(bashScript);
  const env = { script: script.file };
  const shell = ['-qefc', 'bash --norc --noprofile -i', '/dev/null'];
  await using bash = runCommand('script', shell, env, undefined, 'pipe');
  const type = (text: string) => void bash.child.stdin?.write(text);
  await bash.printed(/[#$] $/);
  type('source "$script"; proofline() { echo "got: $*."; }; echo known\n');
  await bash.printed(/[\r\n]known\r?\n.*[#$] $/s);
  type('proofline que\tpau\tanalytics.str\t --rea\tsoon\n');
  await bash.printed(/got: queues pause analytics\.stress --reason soon\./m);
  type('exit\n');
  expect(await bash.ended).toBe(0);
});

/** What serves, hands on to another program, or prints a script. */
const silent = ['api', 'worker', 'bench', 'completion', 'types'];

test('every command that prints takes --json, and every command has a help with examples and exit codes', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  for (const command of leaves(await proofline())) {
    const takes = command.options.some(({ long }) => long === '--json');
    expect([command.name(), takes]).toEqual([command.name(), !silent.includes(command.name())]);
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    expect(help).toMatch(/Examples?:\n {2}\$ /);
    expect(help).toMatch(/Exit codes: 0 /);
  }
});
