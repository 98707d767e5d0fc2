import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { csvOf } from '#test/analytics/market.ts';
import { scratch } from '#test/helpers/scratch.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';

const here = import.meta.dirname;
/** A package of its own: what the generators bring is not what we are built with. */
const tools = join(here, 'tools');
const run = promisify(execFile);

/** The documents, by the folder that a generator writes its client of each into. */
const documents = {
  whole: '/v1/openapi.json',
  missions: '/api/v1/openapi.json',
  studio: '/api/studio/v1/openapi',
  platform: '/api/openapi.json',
};

/** The command line of each generator, for one document. */
const generators: Readonly<Record<string, (document: string, name: string) => readonly string[]>> = {
  'hey-api': (document, name) => [
    '@hey-api/openapi-ts/bin/run.js',
    '-i',
    document,
    '-o',
    name,
    '-c',
    '@hey-api/client-fetch',
  ],
  orval: (_document, name) => ['orval/dist/bin/orval.mjs', '--config', `${name}.config.json`],
  'openapi-fetch': (document, name) => ['openapi-typescript/bin/cli.js', document, '-o', `${name}.ts`],
};

/** Every name that the language, browsers and workers have already: a type of that name would hide it, or be hidden. */
function globalNames(): ReadonlySet<string> {
  const folder = join(tools, 'node_modules/typescript/lib');
  const texts = globSync('lib.*.d.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const declared = /^(?:declare var|interface|declare function|type) (\w+)/gm;
  return new Set(texts.flatMap((text) => [...text.matchAll(declared)].map(([, name = '']) => name)));
}

const said = { brief: 'ok', mission: 'planned', request: true, turn: 'chat.completion', gex: 'ok', flip: true };

const patient = { timeout: 300_000 };

test('clients that three generators write compile, and make a documented call of each surface', patient, async () => {
  // plain JavaScript, which runs before anything is installed
  const { install } = await import(new URL('../../bin/install.mjs', import.meta.url).href);
  await install(tools, process.env, 'generators of clients');
  await using stack = new AsyncDisposableStack();
  const own = stack.use(await mkdtempDisposable(join(scratch, 'generated-')));
  const vendor = stack.use(await startOpenaiLike());
  const capabilities = { 'text.generate': offer() };
  const { path } = stack.use(
    catalogueFile([provider({ id: 'vendor', style: 'openai-compatible', url: vendor.url, capabilities })]),
  );
  const world = stack.use(await mediaWorld({ PROVIDERS_FILE: path }));
  const human = Buffer.alloc(32, 1);
  await world.context.db.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
    values (${sql.binary(human)}, ${sql.binary(Buffer.alloc(32, 2))}, 'operator-invite', 'enrolled', '{}', 'standard')`);
  const { secret } = await world.key({ owner: 'ada', human: human.toString('hex') });
  const chain = join(own.path, 'chain.csv');
  await writeFile(chain, csvOf('SPX', 7));
  await symlink(join(tools, 'node_modules'), join(own.path, 'node_modules'));
  await writeFile(join(own.path, 'package.json'), '{ "type": "commonjs" }');
  const taken = globalNames();
  expect([...taken]).toEqual(expect.arrayContaining(['File', 'Response', 'Promise']));
  for (const [name, at] of Object.entries(documents)) {
    const text = await (await fetch(`${world.url}${at}`)).text();
    const names = Object.keys((JSON.parse(text) as { components: { schemas: object } }).components.schemas);
    expect(names.filter((one) => taken.has(one))).toEqual([]);
    await writeFile(join(own.path, `${name}.json`), text);
  }

  const env = { ...process.env, PROOFLINE_KEY: secret, PROOFLINE_URL: world.url, PROOFLINE_CHAIN: chain };
  for (const [generator, command] of Object.entries(generators)) {
    const folder = join(own.path, generator);
    await mkdir(folder);
    for (const name of Object.keys(documents)) {
      const document = join(own.path, `${name}.json`);
      const output = { target: `${name}.ts`, client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };
      await writeFile(join(folder, `${name}.config.json`), JSON.stringify({ one: { input: document, output } }));
      const [program = '', ...args] = command(document, name);
      await run(process.execPath, [join(tools, 'node_modules', program), ...args], { cwd: folder, env });
    }
    await copyFile(join(here, 'programs', `${generator}.ts`), join(folder, 'main.ts'));
    expect({ generator, errors: await compile(folder) }).toEqual({ generator, errors: '' });
    const { stdout } = await run(process.execPath, [join(folder, 'built/main.js')], { env });
    expect({ generator, said: JSON.parse(stdout) }).toEqual({ generator, said });
  }
});

/** Compiles a client and the program that uses it, as strictly as a careful user does; gives the errors. */
async function compile(folder: string): Promise<string> {
  const options = {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'node16',
    outDir: 'built',
    skipLibCheck: true,
  };
  const config = { compilerOptions: options, files: ['main.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(tools, 'node_modules/typescript/bin/tsc');
  const failed = await run(process.execPath, [compiler, '-p', folder]).then(
    () => null,
    (error: { stdout: string }) => error,
  );
  return failed?.stdout ?? '';
}
