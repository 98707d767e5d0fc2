import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase extends AsyncDisposable {
  /** As the ordinary role `proofline`, who owns it. */
  readonly url: string;
}

/** A new database, migrated (or empty), dropped with everything connected to it when disposed. */
export async function testDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = kind === 'migrated' ? inject('templateName') : 'template0';
  // files are copied at half the price of writing their pages to the log
  await asAdmin(`create database ${name} owner proofline template ${template} strategy file_copy`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: async () => await asAdmin(`drop database ${name} with (force)`) };
}

/** Does something while no client can reach this database. */
export async function whileAway(url: string, work: () => Promise<unknown>): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin(`alter database ${name} with allow_connections false`);
  try {
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await work();
  } finally {
    await asAdmin(`alter database ${name} with allow_connections true`);
  }
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
