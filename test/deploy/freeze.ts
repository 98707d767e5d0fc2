import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { queues } from '#queues/index.ts';
import { trustPaths } from '#src/receipts/verify/read-trust.ts';
import { folderOf } from './release.ts';

/*
 * Freezes a release for the tests of the next one: the schemas of its queues, and with the address of a system that it
 * runs, and that has done something of everything, rows of its database and the keys that it publishes.
 *   DATABASE_URL=postgres://… node bin/proofline.mjs run test/deploy/freeze.ts 0.1 http://127.0.0.1:4000
 */
const [release = '', url] = process.argv.slice(2);
if (!/^\d+\.\d+$/.test(release)) throw new Error('usage: freeze.ts RELEASE [URL]');
const folder = folderOf(release);
mkdirSync(join(folder, 'queues'), { recursive: true });
const keep = (name: string, value: unknown) => writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);

for (const { name, payload, result, progress } of queues.values())
  keep(`queues/${name}.json`, { name, schemas: { payload, result, progress } });
if (url !== undefined) {
  writeFileSync(join(folder, 'rows.json'), rowByRow(await storedRows()));
  const published = Object.values(trustPaths).map(async (path) => {
    const answer = await fetch(new URL(path, url));
    return [path, await answer.json()] as const;
  });
  keep('trust.json', Object.fromEntries(await Promise.all(published)));
}

/** JSON with one row a line. */
function rowByRow(tables: Readonly<Record<string, readonly object[]>>): string {
  const shown = Object.entries(tables).map(
    ([name, rows]) => `${JSON.stringify(name)}: [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  );
  return `{\n${shown.join(',\n')}\n}\n`;
}

/** The shortest job of each queue that succeeded, and everything that belongs to one mission; in an order to insert them in. */
async function storedRows() {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
  await client.connect();
  const rows = async (from: string, ...values: readonly unknown[]) => {
    const { rows: found } = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${from}`,
      [...values],
    );
    return found.map(({ row }) => row);
  };
  const jobs = await rows(`jobs t where id in (
    select distinct on (queue) id from jobs where state = 'succeeded' and octet_length(result::text) < 60000
    order by queue, octet_length(payload::text) + octet_length(result::text))`);
  const missions = await rows(`missions t where state = 'sealed' order by created_at limit 1`);
  const id = missions[0]?.['id'];
  const batch = `(select batch_id from anchor_leaves where leaf = 'receipt:' || $1::text)`;
  const tables = {
    jobs,
    events: await rows(
      'events t where job = any($1) order by job, n',
      jobs.map((job) => job['id']),
    ),
    missions,
    mission_steps: await rows('mission_steps t where mission = $1 order by position', id),
    mission_events: await rows('mission_events t where mission = $1 order by seq', id),
    anchor_batches: await rows(`anchor_batches t where id = ${batch}`, id),
    anchor_leaves: await rows(`anchor_leaves t where batch_id = ${batch}`, id),
    receipts: await rows('receipts t where id = $1', id),
  };
  await client.end();
  return tables;
}
