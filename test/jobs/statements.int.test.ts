import fc from 'fast-check';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { claimJobs } from '#src/jobs/claim-jobs.ts';
import { settleJobs } from '#src/jobs/settle-jobs.ts';
import { plainArray, textArray } from '#src/lib/array-literal.ts';
import { endDirect, openDirect } from '#src/system/direct-postgres.ts';
import { openStatements } from '#src/system/statements.ts';
import { testSystem } from '#test/helpers/jobs.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

test('a batch is claimed and settled by one look-up a row, whatever the statistics say', async () => {
  await using system = await testSystem();
  const client = await openDirect(system.context.config, 'explain', () => {});
  // none waits and none runs: a planner that knew which state is wanted would expect no row at all
  await system.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, finished_at)
    select uuidv7(), 'alice', 'trial', 'succeeded', 0, '{}', '\\x00', now() from generate_series(1, 20000)`);
  for (const analyze of [false, true]) {
    if (analyze) await system.context.db.query(sql.unsafe`analyze jobs`);
    for (const { text } of [claimJobs, settleJobs]) {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (generic_plan, format json) ${text}`,
      );
      const all = nodes(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' });
      const scans = all.filter((node) => node['Relation Name'] === 'jobs' && node['Node Type'].endsWith('Scan'));
      expect(scans.map((scan) => [scan['Node Type'], scan['Index Name']])).toEqual([
        ['Index Scan', 'jobs_pkey'],
        ['Index Scan', 'jobs_pkey'],
      ]);
      expect(all.filter((node) => /Hash Join|Merge Join/.test(node['Node Type']))).toEqual([]);
    }
  }
  await endDirect(client);
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
