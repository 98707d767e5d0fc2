import { Client } from 'pg';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { keepOneStep, keepSteps } from '#src/jobs/steps/keep-step.ts';
import { signalJobs } from '#src/jobs/steps/signal-job.ts';
import { findSuspended, suspendJobs } from '#src/jobs/steps/suspend.ts';
import { wakeJobs } from '#src/jobs/wake/wake.ts';
import { look } from '#src/jobs/wake/waker.ts';
import { readEnd } from '#src/jobs/workers/repeated-end.ts';
import { sessionUrl } from '#src/system/postgres/postgres.ts';
import { statementSession } from '#src/system/statements.ts';
import { openStory } from './story.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

const tables = /^(jobs|steps|signals|waits|wakes|events.*)$/;
const statements = [keepSteps, keepOneStep, suspendJobs, findSuspended, readEnd, wakeJobs, signalJobs];

test('steps, waits and signals cost look-ups alone, however many jobs wait', async () => {
  await using story = await openStory();
  await using stack = new AsyncDisposableStack();
  const { db, config } = story.context;
  const connect = async (settings: Readonly<Record<string, string>>) => {
    const client = new Client({ connectionString: sessionUrl(config.DATABASE_URL, 'test', settings) });
    await client.connect();
    stack.defer(async () => await client.end());
    return client;
  };
  const client = await connect(statementSession);
  const waker = await connect({ enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' });
  const scansOf = async (session: Client, text: string) => {
    const { rows } = await session.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (generic_plan, format json) ${text}`,
    );
    const all = nodes(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Node Type': 'none' });
    return all.filter(
      ({ 'Relation Name': name = '', 'Node Type': type }) => tables.test(name) && type.endsWith('Scan'),
    );
  };
  const areLookUps = async () => {
    for (const { name, text } of statements) {
      const scans = await scansOf(client, text);
      expect(scans.length, name).toBeGreaterThan(0);
      // by place: rows that the statement has locked before
      for (const scan of scans.filter(({ 'Node Type': type }) => type !== 'Tid Scan')) {
        const { 'Node Type': type, 'Relation Name': table, 'Index Cond': condition } = scan;
        expect(`${name}: ${type} on ${table} by ${condition}`).toMatch(
          /: Index (Only )?Scan on \w+ by .*\((id|job) = /,
        );
      }
    }
    // walked from its beginning, or up to now
    const walked = await scansOf(waker, look.text);
    expect(walked.map((scan) => [scan['Relation Name'], scan['Index Cond']])).toEqual([
      ['wakes', undefined],
      ['waits', '(wake_at <= now())'],
      ['jobs', '(id = w.job)'],
    ]);
    for (const { 'Node Type': type } of walked) expect(type).toMatch(/^Index (Only )?Scan$/);
  };
  await areLookUps();
  for (const more of [20, 1_000, 20_000]) {
    await db.query(sql.unsafe`
      with made as (
        insert into jobs (id, owner, queue, state, priority, payload, request_hash, attempt)
        select uuidv7(), 'alice', 'trial', 'waiting', 0, '{}', '\\x00', 1 from generate_series(1, ${more}::int) returning id
      ), signalled as (
        insert into signals (job, name, key, payload) select id, 'other', 'k', '1' from made
      ), stepped as (
        insert into steps (job, name, n, kind, after, value, bytes) select id, 'first', 1, 'step', 0, '1', 1 from made
      )
      insert into waits (job, attempt, kind, name, after, owner, queue) select id, 1, 'signal', 'go', 0, 'alice', 'trial' from made`);
    await areLookUps();
    await db.query(sql.unsafe`analyze jobs, signals, steps, waits, wakes`);
    await areLookUps();
  }
});
