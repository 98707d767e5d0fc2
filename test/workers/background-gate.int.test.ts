import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { trial } from '#test/helpers/trial.ts';
import { openBackgroundGate } from '#workers/run/background-gate.ts';

const system = { principal: { owner: 'system' } };

test('of jobs that wait in a queue, those of callers start before older ones that the system asked for', async () => {
  await using trials = await testSystem();
  const jobs = [
    await trials.submit({ do: 'succeed' }, system),
    await trials.submit({ do: 'succeed' }, system),
    await trials.submit({ do: 'succeed' }, { priority: 9 }),
    await trials.submit({ do: 'succeed' }, { principal: { owner: 'bob' } }),
  ];
  await trials.fleet();
  for (const { id } of jobs) await trials.ended(id);
  const started = await trials.context.db.anyFirst(sql.unsafe`
    select j.owner from events e join jobs j on j.id = e.job where e.type = 'started' order by e.seq`);
  expect(started.slice(2)).toEqual(['system', 'system']);
});

test('what the system asked for waits for jobs of callers that came before it, not for later, held or paused ones', async () => {
  await using trials = await testSystem();
  const { context } = trials;
  const gate = openBackgroundGate(context, [trial.name]);
  await trials.submit({ do: 'succeed' }, { held: true });
  await trials.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 3_600_000) });
  await trials.submit({ do: 'succeed' }, system);
  expect(await gate.pass()).toBe(true);
  const before = await trials.submit({ do: 'succeed' });
  const passed = gate.pass();
  await cancelJob(context, before.id, 'alice');
  expect(await passed).toBe(true);
  await trials.submit({ do: 'succeed' });
  await context.db.query(sql.unsafe`insert into queue_pauses (queue, paused_by) values (${trial.name}, 'operator')`);
  expect(await gate.pass()).toBe(true);
  await context.db.query(sql.unsafe`delete from queue_pauses`);
  const held = gate.pass();
  gate.close();
  expect(await held).toBe(false);
  expect(await gate.pass()).toBe(false);
});
