import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Migration, migrate, readMigrations } from '#sql/migrate.ts';
import { describeSchema } from '#sql/schema-description.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { testFolder } from '#test/helpers/processes.ts';

const migration = (number: number, sql: string): Migration => ({
  number,
  file: `${String(number).padStart(6, '0')}-test.sql`,
  sql,
  digest: `digest of ${sql}`,
  transactional: !sql.includes('-- no transaction'),
});

async function rows(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

test('every file is applied once, and migrating again changes nothing', async () => {
  await using database = await testDatabase('empty');
  const files = readMigrations().map(({ file }) => file);
  expect((await migrate(database.url)).applied).toEqual(files);
  const before = await rows(database.url, 'select * from migrations order by number');
  expect(await migrate(database.url)).toEqual({ applied: [], unknown: [] });
  expect(await rows(database.url, 'select * from migrations order by number')).toEqual(before);
});

test('20 migrators at once: each file is applied by exactly one', async () => {
  await using database = await testDatabase('empty');
  const files = [
    migration(1, 'create table races (n integer); select pg_sleep(0.05)'),
    migration(2, '-- no transaction\ncreate index concurrently if not exists races_by_n on races (n)'),
    migration(3, 'insert into races values (1)'),
  ];
  const applied = await Promise.all(Array.from({ length: 20 }, async () => await migrate(database.url, files)));
  expect(applied.flatMap((one) => one.applied).toSorted()).toEqual(files.map(({ file }) => file));
  expect(await rows(database.url, 'select n from races')).toEqual([{ n: 1 }]);
});

test('error: a file that fails leaves nothing, and is applied by the next try', async () => {
  await using database = await testDatabase('empty');
  const broken = [migration(1, 'create table half (n integer); select 1 / 0')];
  await expect(migrate(database.url, broken)).rejects.toThrow('Migration 000001-test.sql failed: division by zero');
  expect(await rows(database.url, "select to_regclass('half') as found")).toEqual([{ found: null }]);
  expect((await migrate(database.url, [migration(1, 'create table half (n integer)')])).applied).toEqual([
    '000001-test.sql',
  ]);
});

test('error: a file that was changed after it had been applied is refused', async () => {
  await using database = await testDatabase('empty');
  await migrate(database.url, [migration(1, 'create table one (n integer)')]);
  const changed = migrate(database.url, [migration(1, 'create table one (n bigint)')]);
  await expect(changed).rejects.toThrow('Migration 000001-test.sql was changed after it had been applied here');
});

test('sql/schema.sql is what the numbered files add up to', async () => {
  await using database = await testDatabase();
  const committed = readFileSync(join(import.meta.dirname, '../../sql/schema.sql'), 'utf8');
  // Written by `proofline migrate --dump`.
  expect(await describeSchema(database.url)).toBe(committed);
});

test('the description of a schema sees columns, constraints, indexes, functions and triggers', async () => {
  await using database = await testDatabase('empty');
  const sql = `
    create table things (id uuid primary key default uuidv7(), n integer not null check (n > 0));
    create index things_n on things (n) where n > 5;
    create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger things_touch before update on things for each row execute function touch();`;
  await migrate(database.url, [migration(1, sql)]);
  const text = await describeSchema(database.url);
  for (const part of [
    'id uuid not null default uuidv7()',
    'add constraint things_n_check CHECK ((n > 0))',
    'CREATE INDEX things_n ON public.things USING btree (n) WHERE (n > 5)',
    'FUNCTION public.touch()',
    'CREATE TRIGGER things_touch',
  ]) {
    expect(text).toContain(part);
  }
});

test('every file says in its header whether the previous release survives it', () => {
  for (const { file, sql } of readMigrations()) {
    expect(`${file}: ${sql.split('\n')[0]}`).toMatch(/: -- \S/);
    expect(`${file}: ${sql.slice(0, 1_000)}`).toMatch(/^-- Safe to run while the previous release serves: (yes|no)/m);
  }
});

test('error: numbers that are missing or misspelt are refused', () => {
  using folder = testFolder();
  writeFileSync(join(folder.path, '000002-second.sql'), 'select 1');
  expect(() => readMigrations(folder.path)).toThrow('expected 000001-subject.sql, got 000002-second.sql');
});

test('an older release on a newer database applies nothing, and names what it does not have', async () => {
  await using database = await testDatabase('empty');
  const [one, two] = [migration(1, 'create table one (n integer)'), migration(2, 'create table two (n integer)')];
  await migrate(database.url, [one, two]);
  expect(await migrate(database.url, [one])).toEqual({ applied: [], unknown: ['000002-test.sql'] });
});

test('an index whose making was broken off is made again', async () => {
  await using database = await testDatabase('empty');
  const making = migration(2, '-- no transaction\ncreate unique index concurrently if not exists half_n on half (n)');
  const files = [migration(1, 'create table half (n integer); insert into half values (1), (1)'), making];
  await expect(migrate(database.url, files)).rejects.toThrow('could not create unique index');
  await rows(database.url, 'delete from half');
  await migrate(database.url, files);
  const valid = `select indisvalid from pg_index where indexrelid = 'half_n'::regclass`;
  expect(await rows(database.url, valid)).toEqual([{ indisvalid: true }]);
});
