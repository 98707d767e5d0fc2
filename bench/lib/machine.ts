import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Describes the machine of the measurements; names no path and no host. */
export async function describeMachine(databaseUrl: string, redisUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  const { rows } = await client.query<{ version: string; fsync: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
  );
  await client.end();
  const redis = new Redis(redisUrl);
  const info = await redis.info('server');
  const fsync = await redis.config('GET', 'appendfsync');
  redis.disconnect();
  const versionOf = (name: string) => {
    const text = readFileSync(join(import.meta.dirname, '../../node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  };
  return [
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node}; Postgres ${rows[0]?.version} (fsync ${rows[0]?.fsync}); Redis ${/redis_version:(\S+)/.exec(info)?.[1]} (append-only file, fsync ${fsync.at(-1)})`,
    `Peers: ${['bullmq', 'graphile-worker', 'pg-boss'].map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `Load average when it began: ${figureOf(loadavg()[0])} (other work on the machine makes every figure worse)`,
  ];
}

function figureOf(value: number | undefined): string {
  return (value ?? Number.NaN).toFixed(2);
}
