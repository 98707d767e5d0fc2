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
  readonly 'CTE Name'?: string;
  readonly Operation?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly Plan[];
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

/** The child that a node reads its rows from: of a join, the one in whose order it answers. */
const outer = (plan: Plan | undefined) => plan?.Plans?.find((child) => child['Parent Relationship'] === 'Outer');

/** A claim looks for what rules are asked about as well, where one limits. */
const lookUps: Readonly<Record<string, number>> = { [claimJobs.name]: 2 };

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
      const byId = (scan: Plan) =>
        /^\(id = \w+\.id\)$|^\(\(id >= (\w+)\.id\) AND \(id <= \1\.id\)\)$/.test(scan['Index Cond'] ?? '');
      expect(scans.map((scan) => [name, scan['Node Type'], scan['Index Name'], byId(scan)])).toEqual(
        Array.from({ length: lookUps[name] ?? 1 }, () => [name, 'Index Scan', 'jobs_pkey', true]),
      );
      expect(all.filter((node) => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([]);
      // rows are locked as they are changed: in the order of what was given, or overlapping batches would deadlock
      const joins = all.filter((node) => node.Operation === 'Update').map(outer);
      expect(joins.map((join) => [join?.['Node Type'], outer(join)?.['CTE Name']])).toEqual(
        name === claimJobs.name || name === settleJobs.name ? [['Nested Loop', 'given']] : [],
      );
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

test('batches that overlap in opposite orders claim and settle each job once, and never deadlock', async () => {
  await using system = await testSystem();
  const { db, config } = system.context;
  const workers = [randomUUID(), randomUUID()] as const;
  for (const worker of workers)
    await db.query(
      sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
    );
  const clients = await Promise.all(
    workers.map(async () => {
      const client = new Client({ connectionString: sessionUrl(config.DATABASE_URL, 'test', statementSession) });
      await client.connect();
      return client;
    }),
  );
  for (let round = 0; round < 10; round++) {
    const jobs = await Promise.all(Array.from({ length: 100 }, () => system.submit({ do: 'succeed' })));
    const ids = jobs.map(({ id }) => id);
    const claims = clients.map(async (client, one) => {
      const mine = one === 0 ? ids : ids.toReversed();
      const token = workers[one]!;
      const values = [mine, mine.map(() => 1), mine.map(() => token), mine.map(() => token), false];
      const { rows } = await client.query({ ...claimJobs, values, rowMode: 'array' as const });
      const claimed = rows.map(([place]: number[]) => mine[place! - 1]!);
      return { token, claimed };
    });
    const won = await Promise.all(claims);
    expect(won.flatMap(({ claimed }) => claimed).toSorted()).toEqual(ids.toSorted());
    // each of them as its claimer would, and as one would that has lost it
    const settlements = clients.map(async (client, one) => {
      const mine = one === 0 ? ids : ids.toReversed();
      const all = won.flatMap(({ token, claimed }) => claimed.map((id) => [id, token] as const));
      const tokenOf = new Map(all);
      const same = <T>(value: T) => mine.map(() => value);
      const fence = [mine, same(1), mine.map((id) => tokenOf.get(id))];
      const outcome = [
        same('succeeded'),
        same('succeeded'),
        same('{}'),
        same('null'),
        null,
        same(false),
        same(0),
        null,
      ];
      const { rows } = await client.query({ ...settleJobs, values: [...fence, ...outcome], rowMode: 'array' as const });
      return rows.length;
    });
    const settled = await Promise.all(settlements);
    expect(settled.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  }
  await Promise.all(clients.map((client) => client.end()));
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
        // as `unnest` gives nulls for it
        const orNull = (values: readonly unknown[]) =>
          values.length > 0 && values.every((value) => value === null) ? null : values;
        expect(row).toEqual([orNull(texts), orNull(numbers)]);
      },
    ),
  );
});
