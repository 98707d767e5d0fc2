import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '#src/lib/errors.ts';
import { withClient } from './open-client.ts';

export interface Migration {
  readonly number: number;
  /** The file's name, `000001-jobs.sql`. */
  readonly file: string;
  readonly sql: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  /** False where the file is marked `-- no transaction`; it then holds one statement that can be run again. */
  readonly transactional: boolean;
}

// Any number will do, as long as nothing else in the database uses it.
const LOCK = 7_762_463;

/**
 * The numbered files of the folder, in order. @throws AppError `internal` when numbers are missing, doubled or
 * misspelt.
 */
export function readMigrations(folder: string = import.meta.dirname): readonly Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file !== 'schema.sql')
    .toSorted();
  return files.map((file, index) => {
    const number = Number(/^(\d{6})-[a-z0-9-]+\.sql$/.exec(file)?.[1]);
    if (number !== index + 1) {
      const wanted = `${String(index + 1).padStart(6, '0')}-subject.sql`;
      throw new AppError('internal', `Migrations are numbered without gaps: expected ${wanted}, got ${file}.`);
    }
    const sql = readFileSync(join(folder, file), 'utf8');
    const digest = createHash('sha256').update(sql).digest('hex');
    return { number, file, sql, digest, transactional: !/^-- no transaction$/m.test(sql) };
  });
}

/** Result of a migration of a database. */
export interface Migrated {
  /** Files that were applied, in order; none when the database had them all. */
  readonly applied: readonly string[];
  /** Migrations that the database has and this release does not, in order: a newer release was here. */
  readonly unknown: readonly string[];
}

/**
 * Brings the database to the newest migration. Any number of processes may do this at once: each file is applied by one
 * of them.
 *
 * @throws AppError `internal` when a file was changed after it had been applied, or when its SQL fails;
 *   `invalid_configuration` for a server older than version 17, which no process could use afterwards; the signal's
 *   reason when that aborts first: Postgres undoes the file that was being applied.
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[] = readMigrations(),
  signal?: AbortSignal,
): Promise<Migrated> {
  return await withClient(url, 'migrate', async (client) => await bringUp(client, migrations), signal);
}

async function bringUp(client: pg.Client, migrations: readonly Migration[]): Promise<Migrated> {
  await assertVersion(client);
  const known = await knownMigrations(client);
  const applied: string[] = [];
  // In order on purpose: a file depends on the ones before it.
  for (const migration of migrations) {
    const before = known.get(migration.number);
    if (before === undefined && (await apply(client, migration))) applied.push(migration.file);
    if (before !== undefined && before.digest !== migration.digest) throw edited(migration);
  }
  const ours = new Set(migrations.map(({ number }) => number));
  const unknown = [...known.values()].filter(({ number }) => !ours.has(number)).map(({ file }) => file);
  return { applied, unknown: unknown.toSorted() };
}

/** Oldest Postgres that the schema works on, as `server_version_num` has it. */
export const LEAST_VERSION = 170_000;

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const [found] = rows;
  if (!found || found.number >= LEAST_VERSION) return;
  const message = `DATABASE_URL: expected Postgres 17 or newer, got ${found.name}: nothing was migrated.`;
  throw new AppError('invalid_configuration', message, { variable: 'DATABASE_URL' });
}

interface KnownMigration {
  readonly number: number;
  readonly file: string;
  readonly digest: string;
}

async function knownMigrations(client: pg.Client): Promise<ReadonlyMap<number, KnownMigration>> {
  // `if not exists` alone fails when two sessions create the table in the same moment
  await alone(client, () =>
    client.query(`
      create table if not exists migrations (
        number     integer     primary key,
        file       text        not null,
        digest     text        not null,
        applied_at timestamptz not null default now()
      )`),
  );
  const { rows } = await client.query<KnownMigration>('select number, file, digest from migrations');
  return new Map(rows.map((one) => [one.number, one]));
}

async function apply(client: pg.Client, migration: Migration): Promise<boolean> {
  try {
    return await (migration.transactional ? applyInTransaction(client, migration) : applyAlone(client, migration));
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('internal', `Migration ${migration.file} failed: ${reason}`, {}, error);
  }
}

/** The row goes in first: another migrator waits on it, and finds the work done once this one has committed. */
async function applyInTransaction(client: pg.Client, migration: Migration): Promise<boolean> {
  await client.query('begin');
  const isOurs = await insertRow(client, migration);
  if (isOurs) await client.query(migration.sql);
  await client.query('commit');
  return isOurs;
}

/** The row goes in last: a file that fails half way is run again. */
async function applyAlone(client: pg.Client, migration: Migration): Promise<boolean> {
  return await alone(client, async () => {
    const done = await client.query('select from migrations where number = $1', [migration.number]);
    if (done.rowCount === 1) return false;
    await dropHalfMade(client, migration);
    await client.query(migration.sql);
    return await insertRow(client, migration);
  });
}

/** An index whose making was broken off stays, unused, and `if not exists` would take it for made. */
async function dropHalfMade(client: pg.Client, migration: Migration): Promise<void> {
  const name = /create (?:unique )?index concurrently if not exists (\w+)/.exec(migration.sql)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount === 1) await client.query(`drop index concurrently ${client.escapeIdentifier(name)}`);
}

/**
 * Does what one migrator may do at a time. The lock is requested again and again, never waited for, because `create
 * index concurrently` waits for every statement that runs: one that waits for its lock would be a deadlock.
 */
async function alone<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  while (!(await hasLock(client))) await sleep(50);
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

async function hasLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK]);
  return rows[0]?.locked === true;
}

async function insertRow(client: pg.Client, { number, file, digest }: Migration): Promise<boolean> {
  const statement = 'insert into migrations (number, file, digest) values ($1, $2, $3) on conflict do nothing';
  return (await client.query(statement, [number, file, digest])).rowCount === 1;
}

function edited({ file }: Migration): AppError {
  return new AppError(
    'internal',
    `Migration ${file} was changed after it had been applied here: put the change into a new file, or start from an empty database.`,
  );
}
