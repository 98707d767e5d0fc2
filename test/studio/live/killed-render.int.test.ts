import { expect, test, vi } from 'vitest';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { startChild } from '#test/helpers/child.ts';
import { studioWorld } from '#test/studio/world.ts';

// a process is started and killed, and a film is made twice
vi.setConfig({ testTimeout: 120_000 });

test('a worker that is killed in the middle of a render: the next one goes on with the calls that there are', async () => {
  const short = { LEASE_MS: '1500', BEAT_MS: '200', SWEEP_MS: '100', AUDIT_MS: '200' };
  await using world = await studioWorld(short, { fleet: false });
  const { headers } = await world.key({ owner: 'ada' });
  const fleet = new URL('../studio-fleet.ts', import.meta.url);
  const first = await startChild(fleet, world.env);
  const { plan, approval } = await world.plan(headers, { mode: 'publish', targetFormats: ['16:9 360p 20s'] });
  await world.granted(approval.id);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const { body } = await world.call('POST', '/api/studio/v1/render', headers, live);
  const { id } = body.output.job;
  const calls = async () => await world.jobsOf('providers.generate');
  // the film is made of the picture, so the picture is there
  await expect.poll(async () => (await calls()).map(({ state }) => state)).toEqual(['succeeded', 'running']);
  first.kill('SIGKILL');
  await first.exited;
  const begun = await calls();
  const second = await startChild(fleet, world.env);
  try {
    await expect
      .poll(async () => (await readJob(world.context, id))?.state, { timeout: 60_000 })
      .toMatch(/succeeded|failed/);
    expect(await readJob(world.context, id)).toMatchObject({ state: 'succeeded', failures: 0, suspect: false });
    expect((await calls()).map((call) => call.id)).toEqual(begun.map((call) => call.id));
  } finally {
    second.kill('SIGTERM');
    await second.exited;
  }
});
