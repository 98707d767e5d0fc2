import { execFileSync, spawn } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table, type Verdict } from '#bench/lib/markdown.ts';
import { coreShare, memoryOf, type ProcessMemory, processTree } from '#bench/lib/process-tree.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { measureApi } from '#bench/lib/system.ts';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';

const root = join(import.meta.dirname, '../..');

/** Bounds that `npm start` is to keep: megabytes, share of a core, counts, seconds. */
const most = {
  memoryMb: 700,
  core: 0.15,
  postgres: 20,
  redis: 10,
  firstAnswerS: 90,
  diskMb: 1_000,
  secondStartS: 3,
  commandS: 0.4,
  apiMb: 180,
} as const;

interface Started extends AsyncDisposable {
  readonly pid: number;
  readonly ready: Ready;
  /** From nothing to the first answer of the API, and until everything was ready. */
  readonly answeredS: number;
  readonly readyS: number;
}

/** Costs of `npm start`: its start from a copy without packages, its rest, its second start, a command. */
export const footprint: Claim = async (servers, { quick, say }) => {
  const folder = makeTemporaryFolder('footprint');
  const checkout = join(folder, 'checkout');
  copyCheckout(checkout, quick);
  const env = { ...cleanEnv(), npm_config_cache: join(folder, 'npm-cache') };
  const [first, rest, second, commands] = await (async () => {
    const running = await start(checkout, env);
    say(`  first start: ${figure(running.readyS)} s`);
    const rested = await restOf(running, quick);
    await running[Symbol.asyncDispose]();
    await using again = await start(checkout, env);
    return [running, rested, again, timeCommands(checkout, env, quick ? 3 : 11)] as const;
  })();
  const diskMb = sizeMb(checkout);
  const cacheMb = quick ? 0 : sizeMb(env.npm_config_cache);
  rmSync(folder, { recursive: true, force: true });
  const api = await measureApi(await servers.fresh('ours'));
  const pss = sumOf(rest.memory, ({ pssMb }) => pssMb);
  const command = percentile(commands, 0.5);
  const verdict = (promise: string, measured: string, held: boolean): Verdict => ({ promise, measured, held });
  return {
    title: '`npm start`: what it takes',
    body: [
      `A copy of the tracked files${quick ? ' with the packages of this checkout' : ' without packages, with an empty cache of npm'}. Memory is the sum of PSS over all processes, which counts what they share once (RSS counts it for each: ${figure(sumOf(rest.memory, ({ rssMb }) => rssMb))} MB); taken, as the share of a core, after a rest.`,
      table(
        ['process', 'PSS MB', 'RSS MB'],
        groupsOf(rest.memory).map(([name, own]) => [
          `${name}${own.length > 1 ? ` (${own.length})` : ''}`,
          figure(sumOf(own, ({ pssMb }) => pssMb)),
          figure(sumOf(own, ({ rssMb }) => rssMb)),
        ]),
      ),
      `Disk ${figure(diskMb)} MB${quick ? '' : `, and ${figure(cacheMb)} MB of npm’s cache`}; ready after ${figure(first.readyS)} s, the second time after ${figure(second.readyS)} s.`,
    ].join('\n\n'),
    verdicts: [
      verdict(`memory of all processes at most ${most.memoryMb} MB`, `${figure(pss)} MB`, pss <= most.memoryMb),
      verdict(`at most ${most.core * 100} % of a core in rest`, `${figure(rest.core * 100)} %`, rest.core <= most.core),
      verdict(
        `at most ${most.postgres} connections of Postgres`,
        String(rest.postgres),
        rest.postgres <= most.postgres,
      ),
      verdict(`at most ${most.redis} connections of Redis`, String(rest.redis), rest.redis <= most.redis),
      ...(quick
        ? []
        : [
            verdict(
              `from nothing to the first answer at most ${most.firstAnswerS} s`,
              `${figure(first.answeredS)} s`,
              first.answeredS <= most.firstAnswerS,
            ),
            verdict(`at most ${figure(most.diskMb)} MB of disk`, `${figure(diskMb)} MB`, diskMb <= most.diskMb),
          ]),
      verdict(
        `second start at most ${most.secondStartS} s`,
        `${figure(second.readyS)} s`,
        second.readyS <= most.secondStartS,
      ),
      verdict(`a command at most ${most.commandS} s`, `${figure(command)} s`, command <= most.commandS),
      verdict(
        `an API process at most ${most.apiMb} MB before its first request`,
        `${figure(api)} MB`,
        api <= most.apiMb,
      ),
    ],
  };
};

/** The tracked files as they are now; with the packages of this checkout where a new installation is not measured. */
function copyCheckout(to: string, withPackages: boolean): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
  if (!withPackages) return;
  for (const name of ['node_modules', 'runtime/node_modules', 'dashboards/console/dist'])
    symlinkSync(join(root, name), join(to, name));
}

/** The environment without what names a running system or its parts. */
function cleanEnv(): NodeJS.ProcessEnv {
  const own = /^(PROOFLINE_|DATABASE_|REDIS_|npm_|NODE_COMPILE_CACHE|PORT$|METRICS_PORT$|FEED|KEY_PEPPER)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), PORT: '0' };
}

async function start(checkout: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const since = performance.now();
  const child = spawn(process.execPath, ['bin/proofline.mjs', 'up', '--json'], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const seconds = () => (performance.now() - since) / 1_000;
  // the line comes when everything is ready; the API has answered the start itself by then
  while (!text.includes('\n')) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode} before it was ready`);
    await sleep(10);
  }
  const readyS = seconds();
  const ready = JSON.parse(text) as Ready;
  await fetch(`${ready.url}/v1/health`).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw error;
  });
  return {
    pid: child.pid ?? 0,
    ready,
    answeredS: seconds(),
    readyS,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Memory, processor time and connections of a system without callers. */
async function restOf({ pid, ready: { servers } }: Started, quick: boolean) {
  await sleep(quick ? 5_000 : 120_000);
  const core = await coreShare(pid, async () => await sleep(quick ? 5_000 : 120_000));
  const memory = memoryOf(processTree(pid));
  const client = new pg.Client({ connectionString: servers.postgres.url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
  const redis = new Redis(servers.redis.url);
  const clients =
    String(await redis.client('LIST'))
      .trim()
      .split('\n').length - 1;
  redis.disconnect();
  return { core, memory, postgres: rows[0]?.count ?? 0, redis: clients };
}

/** Seconds that a command of a user takes, each time. */
function timeCommands(checkout: string, env: NodeJS.ProcessEnv, times: number): readonly number[] {
  return Array.from({ length: times }, () => {
    const since = performance.now();
    execFileSync(process.execPath, ['bin/proofline.mjs', 'jobs', '--limit', '5'], { cwd: checkout, env });
    return (performance.now() - since) / 1_000;
  });
}

/** Size of a folder as it lies on the disk, links not followed. MB. */
function sizeMb(folder: string): number {
  let blocks = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    blocks += lstatSync(join(entry.parentPath, entry.name)).blocks;
  return (blocks * 512) / 1_000_000;
}

/** Processes by what they are, the largest first. */
function groupsOf(memory: readonly ProcessMemory[]): readonly (readonly [string, readonly ProcessMemory[]])[] {
  const groups = Map.groupBy(memory, ({ command }) => nameOf(command));
  const total = (own: readonly ProcessMemory[]) => sumOf(own, ({ pssMb }) => pssMb);
  return [...groups].toSorted(([, left], [, right]) => total(right) - total(left));
}

const names: readonly (readonly [RegExp, string])[] = [
  [/cli\.ts worker/, 'worker'],
  [/cli\.ts api/, 'API'],
  [/cli\.ts up/, 'what starts and keeps them'],
  [/proofline\.mjs/, 'launcher'],
  [/identity-server/, 'identity provider'],
  [/postgres/, 'Postgres'],
  [/redis/, 'Redis'],
  [/anvil/, 'chain'],
];

function nameOf(command: string): string {
  return names.find(([pattern]) => pattern.test(command))?.[1] ?? command.slice(0, 40);
}

function sumOf<T>(values: readonly T[], read: (value: T) => number): number {
  return values.reduce((sum, value) => sum + read(value), 0);
}
