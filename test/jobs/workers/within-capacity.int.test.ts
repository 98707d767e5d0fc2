import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { pollWorker } from '#src/jobs/workers/poll.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { fence, remoteApi } from '#test/http/workers/remote.ts';

test('polls of one worker that wait at two API processes share its capacity, and lose no job', async () => {
  await using api = await remoteApi({ LEASE_MS: '6000' });
  await using other = await openContext(loadConfig(api.env), 'api');
  const capacity = 4;
  const { worker, report } = await api.worker(undefined, capacity);
  const poll = async (context: typeof other) =>
    await pollWorker(context, {
      worker,
      owner: 'owner-1',
      credits: capacity,
      waitMs: 2_000,
      inHand: [],
      signal: new AbortController().signal,
    });
  const ids = new Set<string>();
  const done = new Set<string>();
  for (let round = 0; round < 6; round++) {
    // both wait before there is anything to take
    const polls = [poll(api.context), poll(other)];
    const submitted = await Promise.all(Array.from({ length: 3 * capacity }, (_, n) => api.submit(n + 1)));
    for (const id of submitted) ids.add(id);
    const given = (await Promise.all(polls)).flatMap((polled) => polled.given);
    expect(given.length).toBeLessThanOrEqual(capacity);
    const running = await api.context.db.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*)::int as count from jobs where worker_id = ${worker} and state = 'running'`);
    expect(running).toBe(given.length);
    const answers = await report(
      ...given.map((job) => ({ ...fence({ ...job, payload: null }), type: 'succeeded', result: { bytes: 1 } })),
    );
    expect(answers.every(({ status }) => status === 'accepted')).toBe(true);
    for (const { id } of given) done.add(id);
  }
  while (done.size < ids.size) {
    const { given } = await poll(other);
    await report(
      ...given.map((job) => ({ ...fence({ ...job, payload: null }), type: 'succeeded', result: { bytes: 1 } })),
    );
    for (const { id } of given) done.add(id);
  }
  const jobs = await Promise.all([...ids].map(async (id) => await api.job(id)));
  expect(jobs.every(({ state, failures }) => state === 'succeeded' && failures === 0)).toBe(true);
});
