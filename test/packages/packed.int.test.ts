import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packAll } from '#packages/pack.ts';
import { succeeds } from '#src/system/embedded/programs.ts';
import { blocksOf } from '#test/docs/blocks.ts';
import { expected, faults } from '#test/docs/expected.ts';
import { openShell } from '#test/docs/shell.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { script, typed } from './packed-programs.ts';
import { event, json, openEvents, scriptedServer } from './scripted-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { protocolServer } from './worker/protocol-server.ts';

const root = join(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);
const folder = testFolder();
const packages = join(folder.path, 'packages');
let tarballs: readonly string[] = [];

beforeAll(() => {
  tarballs = packAll(packages);
}, 600_000);

afterAll(() => folder[Symbol.dispose]());

/** The tarball of a package of ours, and the files in it. */
async function contentsOf(name: string): Promise<{ readonly tarball: string; readonly files: readonly string[] }> {
  const tarball = tarballs.find((path) => path.endsWith(`/${name}-0.1.0.tgz`)) ?? '';
  const { stdout } = await run('tar', ['-tzf', tarball]);
  return {
    tarball,
    files: stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
  };
}

test('client, worker and hooks are installed without a network, and used by JavaScript and by TypeScript', {
  timeout: 240_000,
}, async () => {
  const [client, worker, react, kit] = await Promise.all(
    ['client', 'worker', 'react', 'worker-conformance'].map(async (name) => await contentsOf(`proofline-${name}`)),
  );
  for (const { files } of [client!, worker!, react!, kit!]) {
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(files.filter((path) => !/^(dist\/.+\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(path))).toEqual([]);
  }
  const app = join(folder.path, 'plain');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "plain", "type": "module" }');
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

test('the program is packed as JavaScript, with the console built and without what only its development needs', async () => {
  const { files } = await contentsOf('proofline');
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/proofline.mjs',
      'src/cli.js',
      'workers/analytics/fit-chain.thread.js',
      'sql/000001-jobs.sql',
      'dashboards/console/dist/index.html',
      'dashboards/console/dist/verify/page.js',
      'runtime/package-lock.json',
      'python/proofline/__init__.py',
      'packages/templates/typescript/app.ts',
      'workers/serve-jobs.d.ts',
      'workers/serve-jobs.js',
    ]),
  );
  expect(files.filter((path) => /^(test|bench|deploy|node_modules)\/|\.pyc$|^package-lock\.json$/.test(path))).toEqual(
    [],
  );
  expect(files.filter((path) => /\.tsx?$/.test(path) && !/^packages\/templates\/|\.d\.ts$/.test(path))).toEqual([]);
});

const page = 'docs/jobs.md';
const hasPrograms = succeeds('curl', ['--version']) && succeeds('python3', ['--version']);

/** The environment of a reader with an empty home. Packages come from npm's cache where they are in it. */
async function readersEnvironment(): Promise<NodeJS.ProcessEnv> {
  const home = join(folder.path, 'home');
  mkdirSync(home);
  const ask = async (name: string) => (await run('npm', ['config', 'get', name])).stdout.trim();
  const { PATH, LD_LIBRARY_PATH } = process.env;
  // the way to the registry is that of this machine
  const network = /^(npm_config_.*|.*_proxy|node_extra_ca_certs|ssl_cert_.*)$/i;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => network.test(name))),
    PATH,
    LD_LIBRARY_PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PACKAGES: packages,
    npm_config_cache: await ask('cache'),
    npm_config_registry: await ask('registry'),
    npm_config_prefer_offline: 'true',
    // beside others that may run on this machine, and without a market
    PORT: '0',
    METRICS_PORT: '0',
    FEED: 'none',
  };
}

/** What the table of expected output says of a block. */
function wanted(block: string): RegExp {
  const [, prints] = expected[page]?.find(([words]) => block.includes(words)) ?? [];
  if (!prints) throw new Error(`expected an entry of test/docs/expected.ts for:\n${block}`);
  return prints;
}

test.skipIf(!hasPrograms)(
  `the blocks of ${page} lead from an empty folder to a job that survives its worker`,
  {
    timeout: 900_000,
    retry: 0,
  },
  async () => {
    const env = await readersEnvironment();
    const app = join(folder.path, 'app');
    mkdirSync(app);
    await using stack = new AsyncDisposableStack();
    const shell = stack.use(await openShell('bash', { path: 'bash', env, cwd: app }));
    const stay = (block: string) => stack.use(openTerminal(block, env, app));
    let worker: Terminal | undefined;

    /** Blocks that stay up, or that something happens to while they run. */
    const special: Readonly<Record<string, (block: string) => Promise<void>>> = {
      'npm start': async (block) => {
        const system = openTerminal(block, env, app);
        stack.defer(async () => await system.end('SIGINT'));
        await system.printed(wanted(block));
      },
      'npm run worker': async (block) => {
        worker = stay(block);
        await worker.printed(wanted(block));
      },
      'npm run app': async (block) => {
        const caller = stay(block);
        await caller.printed(/^waiting/m);
        await worker?.end('SIGKILL');
        const second = stay('npm run worker');
        await caller.printed(wanted(block));
        const count = (text = '', words: RegExp) => text.match(words)?.length ?? 0;
        const written = [worker?.output(), second.output()].map((text) => count(text, /^writing to Ada$/gm));
        const sent = [worker?.output(), second.output()].map((text) => count(text, /^sending under \S+$/gm));
        expect({ written, sent }).toEqual({ written: [1, 0], sent: [0, 1] });
        // the one in Python is to take the next job
        await second.end('SIGINT');
      },
    };

    let lines = 0;
    for (const { language, text, at } of blocksOf(page)) {
      const file = /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1];
      if (language === 'sh') {
        const [, act] = Object.entries(special).find(([words]) => text === words) ?? [];
        if (act) {
          await act(text);
          continue;
        }
        const { output, failed } = await shell.paste(text);
        expect({ at, failed, output: failed.length > 0 ? output : '' }).toEqual({ at, failed: [], output: '' });
        expect(`${at}\n${output}`).not.toMatch(faults);
        expect(output, at).toMatch(wanted(text));
      } else if (file !== undefined) {
        const code = text.slice(text.indexOf('\n') + 1);
        // what init has written is what is printed
        if (existsSync(join(app, file))) {
          expect([at, `${code}\n`]).toEqual([at, readFileSync(join(app, file), 'utf8')]);
          if (language === 'ts') lines += code.split('\n').length;
        }
        writeFileSync(join(app, file), `${text}\n`);
      }
    }
    // the worker beside the database, which takes the servers of what runs there
    const beside = stay('node beside.ts');
    const caller = stay('npm run app');
    await beside.printed(/^sending under \S+$/m);
    await caller.printed(wanted('npm run app'));
    // a project that is begun there depends on the same tarballs
    const twin: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(app, 'in-python/package.json'), 'utf8'),
    );
    expect(twin.dependencies).toEqual({ proofline: 'file:../../packages/proofline-0.1.0.tgz' });
    expect(readFileSync(join(root, page), 'utf8').replaceAll('\n', ' ')).toContain(`the ${lines} lines below`);
    const { stdout } = await run(process.execPath, [
      compiler,
      '-p',
      app,
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ]);
    expect(stdout).toBe('');
  },
);
