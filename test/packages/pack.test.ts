import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildPackages } from '#packages/build.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { event, json, openEvents, scriptedServer } from './scripted-server.ts';
import { protocolServer } from './worker/protocol-server.ts';

const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a package as npm would publish it; gives its tarball and the files in it. */
async function pack(name: string, folder: string): Promise<{ readonly tarball: string; readonly files: string[] }> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'packages', name),
  });
  const answer = JSON.parse(stdout) as readonly Packed[] | Readonly<Record<string, Packed>>;
  const [packed] = Object.values(answer);
  return { tarball: join(folder, packed!.filename), files: packed!.files.map(({ path }) => path) };
}

/** Code of somebody who has the tarballs and JavaScript alone. */
const script = `
import { createClient, JobFailed } from '@proofline/client';
import { defineJob, serve } from '@proofline/worker';
import { harness } from '@proofline/worker/testing';
import { openStory } from '@proofline/worker/story';

const client = createClient({ url: process.env.API_URL, key: 'sk-1' });
const job = await client.submit('acme.echo', { n: 1 });
const types = [];
for await (const { type } of job.events()) types.push(type);
const echo = defineJob({ name: 'acme.echo', payload: true, run: async ({ payload, sleep }) => (await sleep('a', '1h'), payload) });
const run = await harness(echo, { n: 2 });
await run.advance('1h');
const stop = new AbortController();
const plain = defineJob({ name: 'acme.plain', payload: true, run: ({ payload }) => (stop.abort(), payload) });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
await serve([plain], { url: process.env.WORKER_URL, key: 'sk-1', signal: stop.signal, log: quiet });
console.log(JSON.stringify([job.id, types, await job.result(), run.state, run.result, typeof openStory, JobFailed.name]));
`;

const typed = `
import { createClient, type Client, type JobHandle } from '@proofline/client';
import { defineJob, serve, type RunContext } from '@proofline/worker';
import { harness, type Harness } from '@proofline/worker/testing';

const resize = defineJob({
  name: 'acme.resize',
  payload: { type: 'object', properties: { url: { type: 'string' }, width: { type: 'integer' } }, required: ['url'] },
  result: { type: 'object', properties: { bytes: { type: 'number' } }, required: ['bytes'] },
  run: async ({ payload, step }) => ({ bytes: await step('one', () => payload.url.length + (payload.width ?? 0)) }),
});

export async function all(client: Client): Promise<number> {
  const job: JobHandle<{ bytes: number }> = await client.submit(resize, { url: 'x', width: 1 });
  const run: Harness<{ bytes: number }> = await harness(resize, { url: 'x' });
  // @ts-expect-error a width is a number
  await client.submit(resize, { url: 'x', width: '1' });
  // @ts-expect-error the harness takes the same payloads
  await harness(resize, {});
  void serve([resize], { capacity: 2 });
  return (await job.result()).bytes + (run.result?.bytes ?? 0);
}

export const open = (): Client => createClient({ url: 'http://a.example', key: 'k' });
export type Context = RunContext<string>;
`;

test('the packages are packed, installed without a network, and used by JavaScript and by TypeScript', {
  timeout: 240_000,
}, async () => {
  using folder = testFolder();
  buildPackages();
  const [client, worker, react, kit] = await Promise.all(
    ['client', 'worker', 'react', 'worker-conformance'].map(async (name) => await pack(name, folder.path)),
  );
  for (const { files } of [client!, worker!, react!, kit!]) {
    expect(files).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(files.filter((path) => !/^(dist\/.+\.(js|d\.ts)|README\.md|package\.json)$/.test(path))).toEqual([]);
  }
  const app = join(folder.path, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "type": "module" }');
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder.path, 'cache')];
  await run('npm', ['install', client!.tarball, worker!.tarball, kit!.tarball, ...offline], { cwd: app });
  const lock = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(lock.packages)).toEqual([
    '',
    'node_modules/@proofline/client',
    'node_modules/@proofline/worker',
    'node_modules/@proofline/worker-conformance',
  ]);

  await using api = await scriptedServer(({ method, path }, response) => {
    if (method === 'POST') return json(response, 202, { id: 'job-1' });
    if (!path.endsWith('/events')) return json(response, 200, { state: 'succeeded', result: { n: 1 } });
    openEvents(response);
    event(response, 'queued', 'e.1');
    return event(response, 'succeeded', 'e.2');
  });
  await using server = await protocolServer();
  const job = server.submit('acme.plain', { n: 3 });
  writeFileSync(join(app, 'app.mjs'), script);
  const env = { ...process.env, API_URL: api.url, WORKER_URL: server.url };
  const { stdout } = await run(process.execPath, ['app.mjs'], { cwd: app, env });
  expect(JSON.parse(stdout)).toEqual([
    'job-1',
    ['queued', 'succeeded'],
    { n: 1 },
    'succeeded',
    { n: 2 },
    'function',
    'JobFailed',
  ]);
  expect(job.end).toMatchObject({ type: 'succeeded', result: { n: 3 } });

  const kitRun = run('npx', ['proofline-conformance', '--only', 'ends', '--', process.execPath, '-e', ''], {
    cwd: app,
  });
  await expect(kitRun).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAIL {2}ends[\s\S]*0 passed, 3 failed\n$/),
  });

  writeFileSync(join(app, 'typed.ts'), typed);
  // a user who checks the types of packages too, with and without those of Node
  for (const module of ['nodenext', 'preserve']) {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      skipLibCheck: false,
    };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const checked = await run(process.execPath, [compiler, '-p', app]).catch((error: { stdout: string }) => error);
    expect([module, checked.stdout]).toEqual([module, '']);
  }
});
