import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programOnPath, succeeds } from '#src/system/embedded/programs.ts';
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

/** What a block must print, by words that stand in it and in no other. Streams that are cut by time promise their start alone. */
const expected: readonly (readonly [words: string, prints: RegExp])[] = [
  ['npm start', /^npm was given 1: start\n$/],
  ['export PATH=', /"status":"ok"/],
  ['"weights": [2, 1]', /"before":\[[\s\S]*"results":\[/],
  ['"session": "chat-1"', /"answerable":true[\s\S]*"tools_used":\["portfolio_optimize"\]/],
  ['respond-async', /event: succeeded[\s\S]*"queue":"analytics\.stress"/],
  ['ADMIN=$(ready', /"name":"analytics\.stress"[\s\S]*"workers":\[\{[\s\S]*event: operations/],
  ['analytics.stress/pause', /"reason":"a new model"[\s\S]*"paused":null/],
  ['text=SPX', /"state":"succeeded"[\s\S]*event: snapshot[\s\S]*"type":"queued"[\s\S]*"attempts":\[\{[\s\S]*"data":\[/],
  [
    'proofline top --once',
    /analytics\.stress[\s\S]*\ndone\n[\s\S]*analytics\.stress .* by user:.*: a new model\n[\s\S]*analytics\.stress [^:]*\n$/,
  ],
  ['completion bash', /^$/],
  ['completion zsh', /^$/],
  ['human invite --for "Ada', /For Ada Lovelace/],
  ['human enrol', /You are enrolled[\s\S]*laptop: /],
  ['"name": "reader"', /"name":"laptop"[\s\S]*"key":"sk-platform-/],
  ['human withdraw', /For Somebody else[\s\S]*withdrawn; it was for Somebody else/],
  ['then hash it', /"missionId":"[0-9a-f-]{36}"/],
  ['/execute', /event: receipt\.anchored[\s\S]*event: mission\.closed[\s\S]*"integrity":\{"verdict":"pass"/],
  ['STUDIOKEY=$(ready', /"capabilities"/],
  ['render "{', /granted[\s\S]*event: succeeded[\s\S]*"integrity":\{"verdict":"pass"[\s\S]*film\.mp4/],
  ['publish "{', /granted[\s\S]*event: succeeded[\s\S]*event: studio_stream_ready/],
  ['api/v2/health', /"object":"contract"[\s\S]*"image\.generate"[\s\S]*"uri":"studio:\/\//],
  ['images/generate', /"b64_json"[\s\S]*"object":"orchestration"[\s\S]*"counts":/],
  ['/v1/gex/SPX', /"symbol":"SPX"[\s\S]*"symbol":"QQQ"[\s\S]*"symbol":"SPX"/],
  ['generation=3', /"generation":3[\s\S]*"state":"/],
  ['/v1/scorecard', /"band_coverage"/],
  ['/v1/stream/SPX', /event: snapshot[\s\S]*event: snapshot/],
  ['history/regime', /^as_of,knowledge_time,spot,[\s\S]*\n\{.*"symbol":"SPX"/],
  ['/v1/oracle/tools', /"net_gex_spx"[\s\S]*"kkt_residual"[\s\S]*"tools":\[[\s\S]*"answerable":true/],
  ['example-chain.csv', /"symbol":"SPX"[\s\S]*"forgotten":1/],
  ['proofline verify', /integrity +pass[\s\S]*authenticity +pass[\s\S]*anchor +pass/],
  ['openssl pkeyutl', /the calldata of 0x[\s\S]*Signature Verified Successfully/],
  ['mcp()', /\\"missionId\\":[\s\S]*\\"integrity\\":\{\\"verdict\\":\\"pass\\"[\s\S]*"uri":"receipt:/],
];

/** What no block may print: a shell or a service that did not take it. */
const faults =
  /command not found|no matches found|parse error|syntax error|event not found|bad pattern|"status":[45]\d\d\b|^error:|^Error|\bundefined\n|\/undefined|No such file/m;

const shells = [
  ['bash', programOnPath(['bash']), {}],
  ['zsh', zshProgram()?.path, zshProgram()?.env ?? {}],
] as const;

/** Programs that the blocks use and a machine may be without; a block that takes one is then left out, and the name says so. */
const lacking = [
  ['curl', '--version'],
  ['python3', '--version'],
  ['openssl', 'version'],
].flatMap(([program = '', how = '']) => (succeeds(program, [how]) ? [] : [program]));
const without = lacking.length === 0 ? '' : ` (but for what takes ${lacking.join(' or ')}, which is not here)`;

for (const [kind, path, more] of shells)
  test.skipIf(path === undefined || lacking.includes('curl'))(
    `every block of README.md runs as pasted into ${kind}, whole, from the first to the last${without}`,
    { timeout: 1_200_000, retry: 0 },
    async () => {
      const env = {
        PATH: `${tools}:${process.env['PATH']}`,
        // without it the Node that runs this, and stands first in PATH, may not start
        LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'],
        HOME: join(checkout, '../home'),
        TMPDIR: join(checkout, '../home'),
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        ...more,
      };
      await using shell = await openShell(kind, { path: path ?? '', env, cwd: checkout });
      const blocks = readmeBlocks().filter(({ language }) => language === 'sh' || language === kind);
      expect(blocks.length).toBeGreaterThan(25);
      const before = readdirSync(checkout);
      for (const { text, line, under } of blocks) {
        if (lacking.some((program) => new RegExp(`\\b${program} `).test(text))) continue;
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

test('what a block must print is told of blocks that are there', () => {
  const texts = readmeBlocks().flatMap(({ language, text }) =>
    ['sh', 'bash', 'zsh'].includes(language) ? [text] : [],
  );
  for (const [words] of expected)
    expect([words, texts.filter((text) => text.includes(words)).length]).toEqual([words, 1]);
  expect(expected).toHaveLength(texts.length);
});

test('every block in a fence is of a language that is run here, or a program, an answer or a picture', () => {
  const known = ['sh', 'bash', 'zsh', 'ts', 'python', 'json', ''];
  for (const { language, line } of readmeBlocks()) expect([line, known.includes(language)]).toEqual([line, true]);
  for (const { language, text } of readmeBlocks())
    if (language === 'json') expect(JSON.parse(text)).toBeTypeOf('object');
  // a comment is a command for zsh as people have it
  for (const { language, text, line } of readmeBlocks())
    if (['sh', 'bash', 'zsh'].includes(language)) expect([line, /(^|\s)#/.exec(text)?.[0]]).toEqual([line, undefined]);
});
