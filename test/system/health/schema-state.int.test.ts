import { createServer } from 'node:net';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '#sql/migrate.ts';
import { serve } from '#src/api/serve.ts';
import { openContext } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { compareSchema, newerSchema, readSchemaState, schemaFault } from '#src/system/health/schema-state.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { runCommand, until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';

const files = readMigrations();
const last = files.at(-1)?.file ?? '';
const behind = `the database is at ${files.length - 1} of ${files.length} migrations (${last} is missing): run \`proofline migrate\``;

/** A port that was free a moment ago: the process under test must be asked before it says which it took. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const text = async (url: string) => {
  const answer = await fetch(url).catch(() => undefined);
  return answer ? `${answer.status} ${await answer.text()}` : 'no answer';
};

test('the comparison names what is missing, what came with a newer release, and what was changed', () => {
  const rows = files.map(({ number, file, digest }) => ({ number, file, digest }));
  expect(schemaFault(compareSchema(rows, files))).toBeNull();
  expect(newerSchema(compareSchema(rows, files))).toBeNull();
  expect(schemaFault(compareSchema(rows.slice(0, -1), files))).toBe(behind);
  expect(schemaFault(compareSchema([], files))).toContain(
    `at 0 of ${files.length} migrations (000001-jobs.sql and later`,
  );

  const newer = compareSchema([...rows, { number: 900, file: '000900-later.sql', digest: 'd' }], files);
  expect(schemaFault(newer)).toBeNull();
  expect(newerSchema(newer)).toContain(
    `at ${files.length + 1} migrations, this release has ${files.length} (000900-later.sql`,
  );

  const changed = compareSchema([{ ...rows[0]!, digest: 'another' }, ...rows.slice(1)], files);
  expect(schemaFault(changed)).toContain('another 000001-jobs.sql than this release');
});

test('an API process on an older schema accepts nothing, says why, and starts once the database is migrated', async () => {
  await using database = await testDatabase('empty');
  await migrate(database.url, files.slice(0, -1));
  const METRICS_PORT = String(await freePort());
  await using trial = await testConfig({ DATABASE_URL: database.url, METRICS_PORT });
  await using context = await openContext(trial.config, 'api');
  let isServing = false;
  const serving = serve(context).then((served) => {
    isServing = true;
    return served;
  });
  const probes = `http://127.0.0.1:${METRICS_PORT}`;
  await until(async () => (await text(`${probes}/readyz`)) === `503 ${behind}\n`);
  expect(await text(`${probes}/livez`)).toBe('200 alive\n');
  expect(await text(`${probes}/metrics`)).toMatch(/^proofline_schema_migrations_pending 1$/m);
  expect(isServing).toBe(false);

  await migrate(database.url);
  await using served = await serving;
  expect(await text(`${served.url}/readyz`)).toBe('200 ready\n');
  expect(await text(`${probes}/metrics`)).toMatch(/^proofline_schema_migrations_pending 0$/m);
});

test('a worker on an empty database waits, says why, and starts once it is migrated', async () => {
  await using database = await testDatabase('empty');
  const METRICS_PORT = String(await freePort());
  await using trial = await testConfig({ DATABASE_URL: database.url, METRICS_PORT, LOG_LEVEL: 'info' });
  await using worker = runCommand(process.execPath, ['src/cli.ts', 'worker', 'analytics'], trial.env);
  await worker.printed(/not started yet: the database is at 0 of \d+ migrations/);
  expect(await text(`http://127.0.0.1:${METRICS_PORT}/readyz`)).toMatch(/^503 the database is at 0 of/);
  expect(worker.output()).not.toContain('the fleet is ready');
  await migrate(database.url);
  await worker.printed(/the fleet is ready/);
  expect(await text(`http://127.0.0.1:${METRICS_PORT}/readyz`)).toBe('200 ready\n');
  // each state of the database once: a look may fall between two of the files
  const said = worker.output().match(/not started yet: the database is at \d+ of/g) ?? [];
  expect(said).toEqual([...new Set(said)]);
});

test('a process that waits for its schema ends when it is asked to', async () => {
  await using database = await testDatabase('empty');
  await using trial = await testConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
  for (const command of [['worker', 'analytics'], ['api']]) {
    await using waiting = runCommand(process.execPath, ['src/cli.ts', ...command], trial.env);
    await waiting.printed(/not started yet/);
    waiting.child.kill('SIGTERM');
    expect(await waiting.ended).toBe(0);
  }
});

test('a running process whose database loses a migration turns unready; a newer database leaves it ready', async () => {
  await using system = await quietSystem();
  const { context } = system;
  expect(await whyUnready(context, ['Postgres', 'schema'])).toBeNull();
  await context.db.query(
    sql.unsafe`insert into migrations (number, file, digest) values (900, '000900-later.sql', 'd')`,
  );
  expect(await whyUnready(context, ['Postgres', 'schema'])).toBeNull();
  expect((await readSchemaState(context)).unknown).toEqual(['000900-later.sql']);
  await context.db.query(sql.unsafe`delete from migrations where number = ${files.length}`);
  expect(await whyUnready(context, ['Postgres', 'schema'])).toBe(behind);
});
