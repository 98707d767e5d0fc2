import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { bringUpDatabase } from '#src/commands/start/bring-up.ts';
import { freshConsole } from '#src/commands/start/console-build.ts';
import { type PrivatePostgres, startPostgres } from '#src/system/embedded/private-postgres.ts';
import { type PrivateRedis, startRedis } from '#src/system/embedded/private-redis.ts';
import { scratch } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser, for making databases. */
    adminUrl: string;
    /** A database that is migrated and never connected to: new ones are copies of it. */
    templateName: string;
    /** The ordinary role; a database that tests do not use: take `testDatabase()`. */
    databaseUrl: string;
    redisUrl: string;
  }
}

const templateName = 'proofline_template';

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Vitest's global set-up: one private Postgres and Redis for the whole run, gone with it, and the web console built. */
export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const since = performance.now();
  const home = mkdtempSync(join(scratch, 'proofline-test-'));
  const [postgres, redis, built] = await Promise.allSettled([
    startPostgres(home, say, { durable: false, connections: 400 }),
    startRedis(home, say),
    // once, and not by whichever tests start a system first
    freshConsole(say),
  ]);
  const stop = async () => {
    await Promise.all(
      [postgres, redis].map(async (started) => started.status === 'fulfilled' && (await started.value.stop())),
    );
    rmSync(home, { recursive: true, force: true });
  };
  try {
    valueOf(built);
    await prepare(project, valueOf(postgres), valueOf(redis));
  } catch (error) {
    // Without this the run would hang for ten seconds, and leave the servers.
    await stop();
    throw error;
  }
  say(`services up in ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return stop;
}

async function prepare(project: TestProject, postgres: PrivatePostgres, redis: PrivateRedis): Promise<void> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query(`create database ${templateName} owner proofline`);
  await admin.end();
  await bringUpDatabase(postgres.url.replace(/\/proofline$/, `/${templateName}`));
  project.provide('adminUrl', postgres.adminUrl);
  project.provide('databaseUrl', postgres.url);
  project.provide('templateName', templateName);
  project.provide('redisUrl', redis.url);
}

function valueOf<V>(result: PromiseSettledResult<V>): V {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
