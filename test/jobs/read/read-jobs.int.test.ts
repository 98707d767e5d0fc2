import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { withClient } from '#sql/open-client.ts';
import { listJobs, newestJobs } from '#src/jobs/read/read-jobs.ts';
import { testSystem } from '#test/helpers/jobs.ts';

const JOBS = 20_000;
const PAGE = 50;
/** Pages of 8 kB that a page of jobs and the looks for it are in. */
const MOST_READ = 100;

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Readonly<Record<string, number>> }[];
}

test('a page of one who owns nearly all jobs reads no more than the page, whatever states they are in', async () => {
  await using system = await testSystem();
  const { db } = system.context;
  await db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, attempt, events, started_at, finished_at)
    select uuidv7(), 'alice', 'test.trial', case when n % 10000 = 0 then 'failed' else 'succeeded' end, 0, '{"text": "one that has a few words in it"}',
      sha256('{}'), 1, 3, now(), now()
    from generate_series(1, ${JOBS}::int) n`);
  await withClient(system.context.config.DATABASE_URL, 'test', async (client) => {
    await client.query('vacuum (analyze) jobs');
  });

  for (const filter of [
    { owner: 'alice' },
    { owner: 'alice', state: 'cancelled' },
    { owner: 'bob' },
    { owner: null },
    { owner: null, state: 'failed' },
  ] as const) {
    const explained = (await db.one(
      sql.unsafe`explain (analyze, buffers, format json) ${newestJobs(filter, null, PAGE)}`,
    )) as Explained;
    const { Plan: plan } = explained['QUERY PLAN'][0]!;
    const read = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    expect(read, JSON.stringify(filter)).toBeLessThan(MOST_READ);
    // by statistics alone it is a toss-up whether that or all jobs by id are read
    if (filter.owner !== null) expect(JSON.stringify(plan)).toContain('ROW(owner, state, id)');
  }
});

test('pages of an owner go through jobs of all states in the order of their ids, each once', async () => {
  await using system = await testSystem();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await system.submit({ do: 'succeed' })).id);
  const { db } = system.context;
  await db.query(sql.unsafe`
    update jobs set state = 'failed', finished_at = now() where id = any(${sql.array([ids[1]!, ids[4]!], 'uuid')})`);
  const owner = String(await db.oneFirst(sql.unsafe`select owner from jobs where id = ${ids[0]!}`));
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listJobs(system.context, { owner, limit: 2, ...(cursor && { cursor }) });
    expect(page.jobs.length).toBeLessThanOrEqual(2);
    seen.push(...page.jobs.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(ids.toReversed());
});
