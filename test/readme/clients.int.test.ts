import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { succeeds } from '#src/system/embedded/programs.ts';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { textVendors } from '#test/platform/text-world.ts';
import { readmeBlocks } from './blocks.ts';
import { untilReady } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const stack = new AsyncDisposableStack();

/** A folder with the programs of README.md, and a running system with a provider of text that they ask. */
let folder: string;
let ready: Ready;

beforeAll(async () => {
  folder = stack.use(testFolder()).path;
  const { env } = stack.use(await textVendors([{ text: 'Hamburg, Rotterdam, Busan.' }]));
  const clean = { DATABASE_URL: '', REDIS_URL: '', KEY_PEPPER: '', PORT: '0', METRICS_PORT: '0', FEED: 'none' };
  const system = stack.use(
    runCommand(process.execPath, [join(root, 'bin/proofline.mjs'), 'up'], { ...clean, ...env }, folder),
  );
  await untilReady(system);
  // in order: a system that is killed leaves its servers to the kernel
  stack.defer(async () => {
    system.child.kill('SIGINT');
    await system.ended;
  });
  ready = JSON.parse(readFileSync(join(env['PROOFLINE_HOME'] ?? '', 'ready.json'), 'utf8')) as Ready;
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}, 600_000);

afterAll(async () => await stack.disposeAsync(), 60_000);

/** Runs the one program of README.md that has these words, at the address of this system; gives what it printed. */
async function run(program: string, words: string, file: string): Promise<string> {
  const found = readmeBlocks().filter(({ text }) => text.includes(words));
  expect(found.map(({ text }) => text.includes('http://127.0.0.1:4000'))).toEqual([true]);
  writeFileSync(join(folder, file), found[0]!.text.replace('http://127.0.0.1:4000', ready.url));
  await using client = runCommand(program, [file], { KEY: ready.keys.human ?? '' }, folder);
  const ended = await client.ended;
  expect({ ended, output: ended === 0 ? '' : client.output() }).toEqual({ ended: 0, output: '' });
  return client.output();
}

test('the program of README.md that OpenAI’s client for TypeScript makes runs whole', {
  timeout: 300_000,
}, async () => {
  expect(await run(process.execPath, "import OpenAI from 'openai'", 'client.mts')).toMatch(
    /^http\S+\n\d+ audio\/\S+\nHamburg, Rotterdam, Busan\.$/,
  );
});

const hasClient = succeeds('python3', ['-c', 'import openai']);

test(`the program of README.md that OpenAI’s client for Python makes runs whole${hasClient ? '' : ' (skipped: no such client here)'}`, {
  timeout: 300_000,
  skip: !hasClient,
}, async () => {
  expect(await run('python3', 'from openai import OpenAI', 'client.py')).toMatch(
    /^http\S+\n\[.*\]\nHamburg, Rotterdam, Busan\.\n$/,
  );
});
