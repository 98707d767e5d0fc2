import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { developerEmail } from '#src/system/embedded/identity.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  if (!options.skip) scene = await openScene();
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Jobs that wait for an hour. */
async function later(owner: string, count: number): Promise<string[]> {
  const one = async () =>
    await submit(scene.context, fit, {
      principal: { owner },
      payload: { chainId: randomUUID() },
      runAt: new Date(Date.now() + 3_600_000),
    });
  return (await Promise.all(Array.from({ length: count }, one))).map(({ job }) => job.id);
}
const stateOf = async (id: string) => (await readJob(scene.context, id))?.state;

test(`rows are selected, previewed, cancelled, and followed to the end${where}`, options, async () => {
  const ids = await later(`user:${people.member.email}`, 3);
  await using visit = await scene.visit('/jobs?state=queued', { as: 'member' });
  const { page } = visit;
  for (const id of ids.slice(0, 2)) await page.getByRole('checkbox', { name: `Select ${fit.name} ${id}` }).check();
  const bar = page.getByRole('group', { name: 'Act on many jobs' });
  await bar.getByText('2 jobs selected').waitFor();
  await bar.getByRole('combobox', { name: 'Action' }).click();
  // none of them has failed
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Cancel', 'Expire', 'Reprioritise']);
  await page.getByRole('option', { name: 'Cancel' }).click();
  await bar.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 jobs?' });
  const previewed = dialog.getByRole('table', { name: 'Jobs of the preview' }).getByRole('row');
  await expect.poll(() => previewed.count()).toBe(3);
  await dialog.getByRole('button', { name: 'Cancel 2 jobs' }).click();
  await page.getByRole('heading', { name: 'jobs.act' }).waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Succeeded').waitFor();
  await page.getByRole('region', { name: 'Result' }).getByText('done').waitFor();
  expect(await Promise.all(ids.map(stateOf))).toEqual(['cancelled', 'cancelled', 'queued']);
  expect(visit.troubles).toEqual([]);
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(`in %s at %i pixels all that fit get another priority${where}`, options, async (scheme, width) => {
  const ids = await later(`user:${developerEmail}`, 25);
  await using visit = await scene.visit(`/jobs?state=queued&owner=user:${developerEmail}`, { scheme, width });
  const { page } = visit;
  await page.getByRole('checkbox', { name: /^Select the/ }).check();
  const bar = page.getByRole('group', { name: 'Act on many jobs' });
  await bar.getByRole('button', { name: 'Select all that fit' }).click();
  await bar.getByText('All that fit are selected').waitFor();
  await bar.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Reprioritise' }).click();
  expect(await bar.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
  await bar.getByRole('textbox', { name: 'Priority' }).fill(String(width + (scheme === 'dark' ? 1 : 0)).slice(0, 3));
  await bar.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^and \d+ jobs more$/).waitFor();
  await visit.isSound('jobs-act');
  await dialog.getByRole('button', { name: /^Reprioritise \d+ jobs$/ }).click();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Succeeded').waitFor();
  expect((await readJob(scene.context, ids[0]!))?.dispatch).toBeGreaterThan(1);
  expect(visit.troubles).toEqual([]);
});
