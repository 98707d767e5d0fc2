import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { claimJobs, findClaimed } from '#src/jobs/run/claim-jobs.ts';
import { findSettled, openSettlements, settleJobs } from '#src/jobs/run/settle-jobs.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { sessionUrl } from '#src/system/postgres/postgres.ts';
import { openStatements, statementSession } from '#src/system/statements.ts';
import { claimsFor, testSystem } from '#test/helpers/jobs.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

/** A claim looks for what rules are asked about as well, where one limits. */
const lookUps: Readonly<Record<string, number>> = { [claimJobs.name]: 3, [findClaimed.name]: 1, [findSettled.name]: 1 };

test('a batch is claimed and settled by one look-up a row, however small the table was when it was planned', async () => {
  await using system = await testSystem();
  const { db, config } = system.context;
  const client = new Client({ connectionString: sessionUrl(config.DATABASE_URL, 'test', statementSession) });
  await client.connect();
  const plansAreLookUps = async () => {
    for (const { name, text } of [claimJobs, findClaimed, settleJobs, findSettled]) {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (generic_plan, format json) ${text}`,
      );
      const all = nodes(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' });
      const scans = all.filter((node) => node['Relation Name'] === 'jobs' && node['Node Type'].endsWith('Scan'));
      const byId = (scan: Plan) => /\(id = \w+\.id\)/.test(scan['Index Cond'] ?? '');
      expect(scans.map((scan) => [name, scan['Node Type'], scan['Index Name'], byId(scan)])).toEqual(
        Array.from({ length: lookUps[name] ?? 2 }, () => [name, 'Index Scan', 'jobs_pkey', true]),
      );
      expect(all.filter((node) => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([]);
    }
  };
  await plansAreLookUps();
  // as many as there are when autovacuum first looks, some more, and many: none waits and none runs
  for (const more of [20, 100, 1_000, 20_000]) {
    await db.query(sql.unsafe`
      insert into jobs (id, owner, queue, state, priority, payload, request_hash, finished_at)
      select uuidv7(), 'alice', 'trial', 'succeeded', 0, '{}', '\\x00', now() from generate_series(1, ${more}::int)`);
    await plansAreLookUps();
    await db.query(sql.unsafe`analyze jobs`);
    await plansAreLookUps();
  }
  await client.end();
});

test('a statement is planned once on its connection, however small its batches are', async () => {
  await using system = await testSystem();
  for (let batch = 0; batch < 10; batch++) await system.submit({ do: 'succeed' });
  const counted = await openStatements(system.context)<[number]>(
    {
      name: 'count-plans',
      text: `select custom_plans::int from pg_prepared_statements where name = 'insert-jobs'`,
    },
    [],
  );
  expect(counted).toEqual([[0]]);
});

test('a settlement outlives a migration that changes the type of a column it answers', async () => {
  await using system = await testSystem();
  const { db } = system.context;
  const worker = randomUUID();
  await db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  const claim = claimsFor(system.context, () => worker, false);
  const settle = openSettlements(system.context);
  const settlement = async () => {
    const { id } = await system.submit({ do: 'succeed' });
    const token = randomUUID();
    await claim({ id, dispatch: 1, token });
    return {
      id,
      attempt: 1,
      token,
      state: 'succeeded',
      event: 'succeeded',
      data: {},
      counts: false,
      delayMs: 0,
    } as const;
  };
  const [before, after] = [await settlement(), await settlement()];
  expect(await settle(before)).not.toBeNull();
  await db.query(sql.unsafe`alter table jobs alter column priority type integer`);
  expect(await settle(after)).not.toBeNull();
});

test('property: Postgres reads array literals as the values they were made of', async () => {
  await using system = await testSystem();
  const send = openStatements(system.context);
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.oneof(text, fc.constantFrom('NULL', '', '"', '\\', '{', '}', ',', ' ', '\n')))),
      fc.array(fc.option(fc.integer())),
      async (texts, numbers) => {
        const [row] = await send<[(string | null)[], (number | null)[]]>(
          { name: 'read-arrays', text: 'select $1::text[], $2::int4[]' },
          [textArray(texts), plainArray(numbers)],
        );
        expect(row).toEqual([texts, numbers]);
      },
    ),
  );
});
