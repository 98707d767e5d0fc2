import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { startChild } from '#test/helpers/child.ts';
import { actionApi } from '#test/http/jobs/action-api.ts';

const file = new URL('./act-fleet.ts', import.meta.url);

test('an action whose process is killed goes on where it was: each job once, none left out', async () => {
  await using api = await actionApi({ LEASE_MS: '1500', BEAT_MS: '300', SUSPECT_PROCESSES: '1' });
  const { db } = api.context;
  const ids = await api.many(600);
  await api.fail(ids);
  const filter = { queue: 'acme.resize-image', state: 'failed' };
  const { token, count } = (await api.post({ action: 'redrive', filter, preview: true }, api.operator)).json();
  expect(count).toBe(600);
  const { id } = (await api.post({ token, rate: 200 }, api.operator)).json();
  const over = async () => Number(await db.oneFirst(sql.unsafe`select position from job_actions where id = ${token}`));
  for (const past of [40, 200, 400]) {
    await using child = await startChild(file, api.env);
    await expect.poll(over, { timeout: 30_000, interval: 10 }).toBeGreaterThan(past);
    child.kill('SIGKILL');
    await child.exited;
  }
  await using _last = await startChild(file, api.env);
  expect((await api.ended(id)).result).toMatchObject({ jobs: 600, done: 600, skipped: 0, failed: 0 });
  const redriven = await db.any(sql.unsafe`
    select job, count(*)::int as n from events where type = 'redriven' group by job having count(*) <> 1`);
  expect(redriven).toEqual([]);
  expect(Number(await db.oneFirst(sql.unsafe`select count(*) from events where type = 'redriven'`))).toBe(600);
}, 90_000);
