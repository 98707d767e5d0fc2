import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#sql/migrate.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { openContext } from '#src/system/context.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { startChild } from '#test/helpers/child.ts';
import { scratch } from '#test/helpers/scratch.ts';
import { openProvider, type Provider } from './provider.ts';
import { seeded } from './random.ts';
import { openSlot, type Slot, type Started, seedOf } from './slot.ts';

export const leaseMs = 1_500;

/** A whole system that may be harmed: durable servers, two APIs, two workers, and a provider that stays out of it. */
export interface ChaosSystem extends AsyncDisposable {
  readonly config: Config;
  readonly apiUrls: readonly [string, string];
  readonly key: string;
  readonly workers: readonly [Slot, Slot];
  readonly apis: readonly [Slot, Slot];
  readonly redis: Slot;
  readonly postgres: Slot;
  readonly provider: Provider;
  /** Asks the database as its owner. @throws while Postgres is away. */
  readonly query: <R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<R[]>;
}

type StartWorker = (env: Readonly<Record<string, string>>) => Promise<Started>;

/** The programs of a system's APIs and workers, which are given their settings and a seed. */
export interface Programs {
  readonly api: URL;
  /** Start the workers; those are programs of ours without it. */
  readonly workers?: readonly [StartWorker, StartWorker];
}

const ours: Programs = { api: new URL('./api.ts', import.meta.url) };

export async function startChaosSystem(
  seed: number,
  { api, workers: elsewhere }: Programs = ours,
): Promise<ChaosSystem> {
  const random = seeded(seed);
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(scratch, 'proofline-chaos-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const provider = stack.use(await openProvider(random.fork('provider')));
  const slot = async (...place: Parameters<typeof openSlot>): Promise<Slot> => {
    const opened = await openSlot(...place);
    stack.defer(opened.end);
    return opened;
  };

  let databaseUrl = '';
  let redisUrl = '';
  const startDatabase = async () => {
    const server = await startPostgres(home);
    databaseUrl = sameAddress(databaseUrl, server.url);
    return server;
  };
  const postgres = await slot('postgres', startDatabase, true);
  const redis = await slot('redis', async () => {
    const server = await startRedis(home);
    redisUrl = sameAddress(redisUrl, server.url);
    return server;
  });
  await migrate(databaseUrl);

  const ports = [await freePort(), await freePort()] as const;
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: 'chaos',
    KEY_PEPPER: 'a pepper for the chaos test, long enough',
    METRICS_PORT: '0',
    FEED: 'none',
    LOG_LEVEL: process.env['CHAOS_LOG_LEVEL'] ?? 'silent',
    LEASE_MS: String(leaseMs),
    BEAT_MS: '250',
    SWEEP_MS: '200',
    AUDIT_MS: '400',
    DRAIN_DEADLINE_MS: '300',
    STREAM_HEARTBEAT_MS: '500',
    RATE_HIGH_PER_MINUTE: '10000000',
    CHAOS_PROVIDER_URL: provider.url,
    // killed processes come back often: they need not strip the same files each time
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled'),
  };
  const config = loadConfig(env);
  const key = await makeKey(config);
  const process_ = (file: URL, name: string, more: Readonly<Record<string, string>> = {}) =>
    slot(name, (generation) => startChild(file, { ...env, ...more }, [seedOf(random, name, generation)]));
  const apis = [
    await process_(api, 'api 1', { PORT: String(ports[0]) }),
    await process_(api, 'api 2', { PORT: String(ports[1]) }),
  ] as const;
  const work = async (name: string, port: number, start?: StartWorker) =>
    start
      ? await slot(name, () => start({ ...env, PROOFLINE_URL: `http://127.0.0.1:${port}`, PROOFLINE_KEY: key }))
      : await process_(new URL('./worker.ts', import.meta.url), name);
  const workers = [
    await work('worker 1', ports[0], elsewhere?.[0]),
    await work('worker 2', ports[1], elsewhere?.[1]),
  ] as const;

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, connectionTimeoutMillis: 3_000 });
  pool.on('error', () => {});
  stack.defer(() => pool.end());
  const all = stack.move();
  return {
    config,
    apiUrls: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    key,
    workers,
    apis,
    redis,
    postgres,
    provider,
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Asserts that a server has its address again after it was killed: its clients know it by that alone. */
function sameAddress(before: string, now: string): string {
  if (before !== '' && before !== now) throw new Error(`expected the server at ${before} again, got it at ${now}`);
  return now;
}

async function makeKey(config: Config): Promise<string> {
  await using context = await openContext(config, 'chaos');
  const { secret } = await createKey(context, {
    owner: 'chaos',
    name: 'chaos',
    scopes: ['platform.mcp.execute', 'jobs.submit', 'jobs.work', 'jobs.manage'],
    tier: 'high',
  });
  return secret;
}
