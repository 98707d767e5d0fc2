import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programOnPath, succeeds } from '#src/system/embedded/programs.ts';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { zshProgram } from '#test/helpers/zsh.ts';
import { textVendors } from '#test/platform/text-world.ts';
import { type Block, blocksOf, pages, shellBlocks } from './blocks.ts';
import { expected, faults } from './expected.ts';
import { openShell, untilReady } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const stack = new AsyncDisposableStack();

/** A checkout as a reader has it, with a home of its own. */
let checkout: string;
let tools: string;
let ready: Ready;
/** Names that the checkout began with. */
let brought: readonly string[];

/** Starts one system for all pages, as `npm start` does, with a provider of text. */
beforeAll(async () => {
  const folder = stack.use(testFolder());
  checkout = join(folder.path, 'checkout');
  tools = join(folder.path, 'tools');
  for (const made of [checkout, tools]) mkdirSync(made);
  // now: tests beside this one make folders there
  brought = readdirSync(root).filter((name) => !['.proofline', '.git'].includes(name));
  for (const name of brought) symlinkSync(join(root, name), join(checkout, name));
  // the start itself is below; what the page types is that
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\necho "npm was given $#: $*"\n');
  chmodSync(join(tools, 'npm'), 0o755);
  const { env } = stack.use(await textVendors([{ text: 'Hamburg, Rotterdam, Busan.' }]));
  const home = join(checkout, '.proofline');
  const clean = {
    DATABASE_URL: '',
    REDIS_URL: '',
    KEY_PEPPER: '',
    PORT: '0',
    METRICS_PORT: '0',
    npm_lifecycle_event: '',
    // the pages show what a market says, and not how often
    FEED_TICK_MS: '3000',
    FEED_FIGURES_MS: '6000',
  };
  const system = stack.use(
    runCommand(
      process.execPath,
      [join(root, 'bin/proofline.mjs'), 'up'],
      { ...clean, ...env, PROOFLINE_HOME: home },
      checkout,
    ),
  );
  await untilReady(system);
  // in order: a system that is killed leaves its servers to the kernel
  stack.defer(async () => {
    system.child.kill('SIGINT');
    await system.ended;
  });
  ready = JSON.parse(readFileSync(join(home, 'ready.json'), 'utf8')) as Ready;
  await untilTraded();
}, 600_000);

afterAll(async () => await stack.disposeAsync(), 60_000);

/** Programs that blocks use and this machine lacks; blocks that use one are left out, and the test's name says so. */
const lacking = [
  ['curl', '--version'],
  ['python3', '--version'],
  ['openssl', 'version'],
].flatMap(([program = '', how = '']) => (succeeds(program, [how]) ? [] : [program]));
const without = lacking.length === 0 ? '' : ` (but for what takes ${lacking.join(' or ')}, which is not here)`;

const zsh = zshProgram();
const shells = { bash: { path: programOnPath(['bash']), env: {} }, zsh: { path: zsh?.path, env: zsh?.env ?? {} } };

/** Pastes blocks into one shell in order, as a reader does, and expects the output of the table; gives how many ran. */
async function pasteAll(kind: keyof typeof shells, blocks: readonly Block[]): Promise<number> {
  let ran = 0;
  const { path, env: more } = shells[kind];
  using home = testFolder();
  const env = {
    PATH: `${tools}:${process.env['PATH']}`,
    // without it the Node that runs this, and stands first in PATH, may not start
    LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'],
    HOME: home.path,
    TMPDIR: home.path,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...more,
  };
  await using shell = await openShell(kind, { path: path ?? '', env, cwd: checkout });
  for (const { page, text, at } of blocks) {
    if (lacking.some((program) => new RegExp(`\\b${program} `).test(text))) continue;
    const wanted = expected[page]?.filter(([words]) => text.includes(words)) ?? [];
    const { output, failed } = await shell.paste(text);
    expect({ at, failed, output: failed.length > 0 ? output : '' }).toEqual({ at, failed: [], output: '' });
    expect(`${at}\n${output}`).not.toMatch(faults);
    expect(output, at).toMatch(wanted[0]![1]);
    ran++;
  }
  return ran;
}

/** Pages in the order of their tests: the longest first; the market's last, since its figures come while the others run. */
const paged = ['docs/humans.md', 'docs/studio.md', ...pages, 'docs/analytics.md']
  .filter((page, index, all) => (page === 'docs/analytics.md' ? index === all.length - 1 : all.indexOf(page) === index))
  // begins in an empty folder: test/packages/packed.int.test.ts
  .filter((page) => page !== 'docs/jobs.md');

/*
 * README runs in both shells: it is what everybody pastes. Blocks of other pages run in bash alone, which halves the time. They
 * are held to constructs that both shells take alike (pages.test.ts), and blocks for zsh run in it, behind README's.
 */
const runs = [
  ['zsh', 'README.md', [...shellBlocks('README.md', 'sh'), ...pages.flatMap((page) => shellBlocks(page, 'zsh'))]],
  ...paged.map((page) => ['bash', page, shellBlocks(page, 'sh', 'bash')] as const),
] as const;

/** Waits until the synthetic market has a chain of each symbol that the pages stress: the first ones come after the start. */
async function untilTraded(): Promise<void> {
  const body = JSON.stringify({ symbols: ['SPX', 'QQQ', 'IWM'] });
  const headers = {
    'x-api-key': ready.keys.analytics,
    'content-type': 'application/json',
    prefer: 'respond-async',
    'idempotency-key': 'the-first-chains',
  };
  while (!(await fetch(`${ready.url}/v1/portfolio/stress`, { method: 'POST', headers, body })).ok) await sleep(500);
}

/**
 * Waits until the synthetic market has figures of every generation, which it has a while after its start, and until the
 * scorecard of the page is computed: on a machine with much beside it, it takes longer than a request waits for it.
 */
async function untilFigured(): Promise<void> {
  const headers = { 'x-api-key': ready.keys.analytics };
  const read = async (path: string): Promise<string> => await (await fetch(`${ready.url}${path}`, { headers })).text();
  while (!(await read('/v1/regime/SPX?generation=3')).includes('"state":"')) await sleep(500);
  while (!(await read('/v1/scorecard?symbol=SPX&seed=7')).includes('"band_coverage"')) await sleep(500);
}

describe.concurrent('pages', () => {
  for (const [kind, page, blocks] of runs) {
    if (blocks.length === 0) continue;
    test.skipIf(shells[kind].path === undefined || lacking.includes('curl'))(
      `every block of ${page} runs as pasted into ${kind}, from the first to the last${without}`,
      { timeout: 1_200_000, retry: 0 },
      async () => {
        if (page === 'docs/analytics.md') await untilFigured();
        expect(await pasteAll(kind, blocks)).toBeGreaterThan(0);
      },
    );
  }

  /** Runs the one program of the pages that has these words, at the address of this system; gives what it printed. */
  async function run(program: string, words: string, file: string): Promise<string> {
    const found = pages.flatMap(blocksOf).filter(({ text }) => text.includes(words));
    expect(found.map(({ text }) => text.includes('http://127.0.0.1:4000'))).toEqual([true]);
    using folder = testFolder();
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    writeFileSync(join(folder.path, file), found[0]!.text.replace('http://127.0.0.1:4000', ready.url));
    await using client = runCommand(program, [file], { KEY: ready.keys.human ?? '' }, folder.path);
    const ended = await client.ended;
    expect({ ended, output: ended === 0 ? '' : client.output() }).toEqual({ ended: 0, output: '' });
    return client.output();
  }

  test('the program for OpenAI’s client in TypeScript runs whole', { timeout: 300_000 }, async () => {
    expect(await run(process.execPath, "import OpenAI from 'openai'", 'client.mts')).toMatch(
      /^http\S+\n\d+ audio\/\S+\nHamburg, Rotterdam, Busan\.$/,
    );
  });

  const hasClient = succeeds('python3', ['-c', 'import openai']);
  test(`the program for OpenAI’s client in Python runs whole${hasClient ? '' : ' (skipped: no such client here)'}`, {
    timeout: 300_000,
    skip: !hasClient,
  }, async () => {
    expect(await run('python3', 'from openai import OpenAI', 'client.py')).toMatch(
      /^http\S+\n\[.*\]\nHamburg, Rotterdam, Busan\.\n$/,
    );
  });
});

test('after all of them nothing is left where git would see it', () => {
  expect(readdirSync(checkout).toSorted()).toEqual([...brought, '.proofline'].toSorted());
});
