import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { zshProgram } from '#test/helpers/zsh.ts';
import { readmeBlocks } from './blocks.ts';
import { openShell, untilReady } from './shell.ts';

const root = join(import.meta.dirname, '../..');
const stack = new AsyncDisposableStack();

/** A checkout as a reader has it, but for what trying it out leaves: its home and what blocks write at its top are of this test. */
let checkout: string;
let tools: string;

beforeAll(async () => {
  const folder = stack.use(testFolder());
  checkout = join(folder.path, 'checkout');
  tools = join(folder.path, 'tools');
  for (const made of [checkout, tools, join(folder.path, 'home')]) mkdirSync(made);
  for (const name of readdirSync(root))
    if (!['.proofline', '.git'].includes(name)) symlinkSync(join(root, name), join(checkout, name));
  // the start itself is below; what the page types is that
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\necho "npm was given $#: $*"\n');
  chmodSync(join(tools, 'npm'), 0o755);
  const clean = {
    DATABASE_URL: '',
    REDIS_URL: '',
    KEY_PEPPER: '',
    PORT: '0',
    METRICS_PORT: '0',
    npm_lifecycle_event: '',
  };
  const home = join(checkout, '.proofline');
  const system = stack.use(
    runCommand(process.execPath, [join(root, 'bin/proofline.mjs'), 'up'], { ...clean, PROOFLINE_HOME: home }, checkout),
  );
  await untilReady(system);
  // in order: a system that is killed leaves its servers to the kernel
  stack.defer(async () => {
    system.child.kill('SIGINT');
    await system.ended;
  });
}, 600_000);

afterAll(async () => await stack.disposeAsync(), 60_000);

/** What a block must print, by words that stand in it and in no other. */
const expected: readonly (readonly [words: string, prints: RegExp])[] = [
  ['npm start', /^npm was given 1: start\n$/],
  ['export PATH=', /"status":"ok"/],
  ['"weights": [2, 1]', /"scenarios"/],
  ['"session": "chat-1"', /"answer"[\s\S]*"answer"/],
  ['respond-async', /event: succeeded[\s\S]*"queue":"analytics\.stress"/],
  ['ADMIN=$(ready', /"name":"analytics\.stress"[\s\S]*"workers":\[\{[\s\S]*event: operations/],
  ['analytics.stress/pause', /"reason":"a new model"[\s\S]*"paused":null/],
  ['text=SPX', /"state":"succeeded"[\s\S]*"attempts"/],
  ['proofline top --once', /analytics\.stress[\s\S]*done\n[\s\S]*paused by/],
  ['completion bash', /^$/],
  ['completion zsh', /^$/],
  ['human invite --for "Ada', /For Ada Lovelace/],
  ['human enrol', /You are enrolled[\s\S]*laptop: /],
  ['"name": "reader"', /"name":"laptop"[\s\S]*"key":"sk-platform-/],
  ['human withdraw', /Somebody else[\s\S]*withdrawn; it was for Somebody else/],
  ['then hash it', /"missionId":"[0-9a-f-]{36}"/],
  ['/execute', /"state":"sealed"|"receipt"[\s\S]*event: [\s\S]*"integrity"/],
  ['STUDIOKEY=$(ready', /"capabilities"/],
  ['render "{', /granted[\s\S]*event: succeeded[\s\S]*film\.mp4/],
  ['publish "{', /granted[\s\S]*event: succeeded[\s\S]*event: /],
  ['api/v2/health', /"image\.generate"/],
  ['images/generate', /"url"|b64_json/],
  ['/v1/gex/SPX', /"schema_version"|"symbol":"SPX"/],
  ['generation=3', /"regime"/],
  ['/v1/stream/SPX', /event: /],
  ['history/regime', /date|time/],
  ['/v1/oracle/tools', /"tools"|"name"/],
  ['example-chain.csv', /"symbol":"SPX"/],
  ['proofline verify', /integrity +pass[\s\S]*authenticity +pass[\s\S]*anchor +pass/],
  ['openssl pkeyutl', /Signature Verified Successfully/],
  ['mcp()', /agent_mission_execute|integrity/],
];

/** What no block may print: a shell or a service that did not take it. */
const faults =
  /command not found|no matches found|parse error|syntax error|event not found|bad pattern|"status":[45]\d\d\b|^error:|^Error|\bundefined\n|\/undefined|No such file/m;

const shells = [
  ['bash', programOnPath(['bash']), {}],
  ['zsh', zshProgram()?.path, zshProgram()?.env ?? {}],
] as const;

for (const [kind, path, more] of shells)
  test.skipIf(path === undefined)(
    `every block of README.md runs as pasted into ${kind}, whole, from the first to the last`,
    { timeout: 1_200_000, retry: 0 },
    async () => {
      const env = {
        PATH: `${tools}:${process.env['PATH']}`,
        HOME: join(checkout, '../home'),
        TMPDIR: join(checkout, '../home'),
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        ...more,
      };
      await using shell = openShell(kind, { path: path ?? '', env, cwd: checkout });
      const blocks = readmeBlocks().filter(({ language }) => language === 'sh' || language === kind);
      expect(blocks.length).toBeGreaterThan(25);
      const before = readdirSync(checkout);
      for (const { text, line, under } of blocks) {
        const at = `README.md:${line} (${under})`;
        const wanted = expected.filter(([words]) => text.includes(words));
        expect([at, wanted.length], 'one entry of the table above').toEqual([at, 1]);
        const { output, failed } = await shell.paste(text);
        expect({ at, failed, output: failed.length > 0 ? output : '' }).toEqual({ at, failed: [], output: '' });
        expect(`${at}\n${output}`).not.toMatch(faults);
        expect(output, at).toMatch(wanted[0]![1]);
      }
      // nothing is left where git would see it
      expect(readdirSync(checkout)).toEqual(before);
    },
  );

test('every block in a fence is of a language that is run here, or a program, an answer or a picture', () => {
  const known = ['sh', 'bash', 'zsh', 'ts', 'python', 'json', ''];
  for (const { language, line } of readmeBlocks()) expect([line, known.includes(language)]).toEqual([line, true]);
  // a comment is a command for zsh as people have it
  for (const { language, text, line } of readmeBlocks())
    if (['sh', 'bash', 'zsh'].includes(language)) expect([line, /(^|\s)#/.exec(text)?.[0]]).toEqual([line, undefined]);
});
