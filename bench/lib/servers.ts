import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrate } from '#sql/migrate.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { cpuMs } from './cpu.ts';

/** Private servers of one run: Postgres with fsync, Redis with an append-only file. */
export interface Servers extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /**
   * A new database (`ours`: with our tables) and an emptied Redis, as environment of a process. `beside` leaves those of
   * before as they are, for two that are measured in turn.
   */
  readonly fresh: (kind: 'ours' | 'empty', how?: 'alone' | 'beside') => Promise<Readonly<Record<string, string>>>;
  /** Processor time of both so far, ms. */
  readonly cpu: () => { readonly postgres: number; readonly redis: number };
}

export async function startServers(say: (line: string) => void): Promise<Servers> {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-bench-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const postgres = await startPostgres(home, say);
  stack.defer(postgres.stop);
  const redis = await startRedis(home, say);
  stack.defer(redis.stop);
  const admin = new pg.Client({ connectionString: postgres.adminUrl, connectionTimeoutMillis: 5_000 });
  await admin.connect();
  stack.defer(() => admin.end());
  const commands = new Redis(redis.url);
  stack.defer(() => commands.disconnect());
  await admin.query('create database bench_template owner proofline');
  await migrate(postgres.url.replace(/\/proofline$/, '/bench_template'));

  const made: string[] = [];
  const fresh: Servers['fresh'] = async (kind, how = 'alone') => {
    if (how === 'alone') {
      for (const name of made.splice(0)) await admin.query(`drop database ${name} with (force)`);
      await commands.flushall();
    }
    const last = `bench_${randomBytes(4).toString('hex')}`;
    await admin.query(
      `create database ${last} owner proofline template ${kind === 'ours' ? 'bench_template' : 'template0'}`,
    );
    made.push(last);
    // no measurement pays for what the one before has left to write
    await admin.query('checkpoint');
    return {
      DATABASE_URL: postgres.url.replace(/\/proofline$/, `/${last}`),
      REDIS_URL: redis.url,
      REDIS_PREFIX: last,
      KEY_PEPPER: 'a pepper for the benchmark, long enough',
      PORT: '0',
      METRICS_PORT: '0',
      FEED: 'none',
      LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'silent',
      RATE_HIGH_PER_MINUTE: '100000000',
      RATE_HIGH_PER_DAY: '10000000000',
    };
  };
  const all = stack.move();
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    fresh,
    cpu: () => ({ postgres: cpuMs(postgres.pid), redis: cpuMs(redis.pid) }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
