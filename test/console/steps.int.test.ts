import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import type { Fence } from '#src/jobs/steps/fence.ts';
import { keepStep } from '#src/jobs/steps/keep-step.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { developerEmail } from '#src/system/embedded/identity.ts';
import { claimsByHand } from '#test/jobs/steps/story.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  if (!options.skip) scene = await openScene();
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** A job that this test carries out: its time comes in an hour, so no worker is given it. */
async function story(parentId?: string): Promise<string> {
  const { job } = await submit(scene.context, fit, {
    principal: { owner: `user:${developerEmail}` },
    payload: { chainId: randomUUID() },
    runAt: new Date(Date.now() + 3_600_000),
    ...(parentId !== undefined && { parentId }),
  });
  return job.id;
}

const keep = async (fence: Fence, name: string, after: number) =>
  await keepStep(scene.context, fence, { name, kind: 'step', after, value: null });

test(`the steps of a job, its waits and its signals are seen as they happen${where}`, options, async () => {
  const { context } = scene;
  const id = await story();
  const claimed = await claimsByHand(context);
  const fence = await claimed(id);
  await keep(fence, 'charge the card', 0);
  await using visit = await scene.visit(`/jobs/${id}`);
  const { page } = visit;
  const steps = page.getByRole('table', { name: 'Steps' });
  await steps.getByRole('row').filter({ hasText: 'charge the card' }).getByText('done').waitFor();
  // of a step the page hears by progress alone
  await keep(fence, 'reserve the room', 1);
  await steps.getByRole('row').filter({ hasText: 'reserve the room' }).waitFor();

  const child = await story(id);
  await keepStep(context, fence, { name: 'print the ticket', kind: 'child', after: 2, value: { job: child } });
  await suspend(context, fence, { on: { kind: 'signal', name: 'approve', timeoutMs: 3_600_000 }, after: 3 });
  const waiting = steps.getByRole('row').filter({ hasText: 'approve' });
  await waiting.getByText('waiting').waitFor();
  await waiting.getByText('until').waitFor();
  expect(await steps.locator(`a[href="/jobs/${child}"]`).count()).toBe(1);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Waits, and holds no worker').waitFor();
  await page.getByRole('region', { name: 'Attempts' }).getByText('suspended').waitFor();
  await visit.isSound('job-waiting');

  await signalJob(context, id, { name: 'approve', payload: true });
  await waiting.getByText('done').waitFor();
  await page.getByRole('table', { name: 'Signals' }).getByText('approve').waitFor();
  await timeline.getByText('woken').waitFor();
  // a worker goes on with it, and finds no chain
  await timeline.getByText('Given up').waitFor();
  expect(visit.troubles).toEqual([]);
});

test(
  `waiting jobs are counted on the overview, found by their state, and can be cancelled${where}`,
  options,
  async () => {
    const { context } = scene;
    const id = await story();
    const fence = await (await claimsByHand(context))(id);
    await suspend(context, fence, { on: { kind: 'signal', name: 'go' }, after: 0 });
    await using visit = await scene.visit('/');
    const { page } = visit;
    await page.getByRole('link', { name: /^\d+ waiting, show these jobs$/ }).click();
    await page.locator(`a[href="/jobs/${id}"]`).click();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('What it waits for will not wake it.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Cancelled').waitFor();
    expect((await readJob(context, id))?.state).toBe('cancelled');
    expect(visit.troubles).toEqual([]);
  },
);

test(
  `a job that waits for a decision shows its exact effect, and runs once the person who is signed in says yes${where}`,
  options,
  async () => {
    const { context } = scene;
    const chainId = randomUUID();
    const { job } = await submit(context, fit, {
      principal: { owner: `user:${developerEmail}` },
      payload: { chainId },
      runAt: new Date(Date.now() + 3_600_000),
      approval: { why: 'It goes to a customer in our name.' },
      budget: { job_usd: 0.5 },
    });
    await using visit = await scene.visit(`/jobs/${job.id}`);
    const { page } = visit;
    await page.getByRole('link', { name: 'See what exactly would happen, and decide' }).click();
    await page.getByRole('heading', { name: 'Approval of a job' }).waitFor();
    await page.getByText(chainId).first().waitFor();
    await page.getByText('It goes to a customer in our name.').first().waitFor();
    await page.getByText('Its digest was checked in this browser').waitFor();
    await visit.isSound('job-approval');
    await page.getByRole('button', { name: 'Grant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Allow this job?').waitFor();
    await dialog.getByRole('button', { name: 'Grant' }).click();
    await page.getByRole('link', { name: 'the job that used it' }).click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('held').first().waitFor();
    expect((await readJob(context, job.id))?.state).toBe('queued');
    expect(visit.troubles).toEqual([]);
  },
);
