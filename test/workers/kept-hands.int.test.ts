import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { entryOf } from '#test/helpers/carried.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { trial } from '#test/helpers/trial.ts';

test('while all hands but one run what stands in line, the job of another owner waits for none of them', async () => {
  await using system = await testSystem();
  const { context } = system;
  const count = async (owner: string, state: string) =>
    Number(
      await context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where owner = ${owner} and state = ${state}`),
    );
  await context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed)
    select gen_random_uuid(), 'flood', ${trial.name}, 'queued', ${trial.priority}, '{"do":"wait"}', '', 'ready'
    from generate_series(1, 300)`);
  const lined = `${brokerPrefix(context.config, trial.name)}:${trial.name}:lined`;
  await until(async () => (await context.redis.sismember(lined, 'flood')) === 1);
  const first = await system.submit({ do: 'succeed' });
  await until(async () => (await entryOf(context, first)) !== undefined);
  // twenty hands, of which one is kept
  await system.fleet();
  await system.ended(first.id);
  await until(async () => (await count('flood', 'running')) === 19);
  for (let n = 0; n < 3; n++) {
    const next = await system.submit({ do: 'succeed' });
    expect(await system.ended(next.id)).toMatchObject({ state: 'succeeded', attempt: 1 });
  }
  expect(await count('flood', 'running')).toBe(19);
});
