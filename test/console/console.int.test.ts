import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { liveKeys, marketName } from '#src/analytics/live/publish-live.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { developerEmail } from '#src/system/embedded/identity.ts';
import { readReady } from '#src/system/embedded/ready-file.ts';
import { until } from '#test/helpers/processes.ts';

import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let scene: Scene;
let failed: string;
beforeAll(async () => {
  if (options.skip) return;
  scene = await openScene({ STREAM_HEARTBEAT_MS: '500' });
  failed = await ask();
  await ask({ approvalId: randomUUID() });
  await until(async () => (await readJob(scene.context, failed))?.state === 'failed');
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Asks for the analytics of a chain that is not there: a real job, which a real worker gives up. Gives its id. */
async function ask({ owner = `user:${developerEmail}`, ...rest }: { owner?: string; approvalId?: string } = {}) {
  const { job } = await submit(scene.context, fit, {
    principal: { owner },
    payload: { chainId: randomUUID() },
    ...rest,
  });
  return job.id;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(people.member.email);
  await page.getByLabel('Password').fill(people.member.password);
  await page.keyboard.press('Enter');
}

test(`a visitor signs in on the way to a page, sees the account, and signs out${where}`, options, async () => {
  await using visit = await scene.visit('/jobs?state=failed', { as: null });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await visit.isSound('sign-in');
  // by keyboard alone
  await page.getByRole('link', { name: 'Sign in' }).press('Enter');
  await signIn(page);
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
  expect(page.url()).toBe(`${scene.url}/jobs?state=failed`);
  await page.getByRole('button', { name: people.member.email }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await page.getByRole('button', { name: people.member.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  expect(visit.troubles).toEqual([]);
});

test(
  `a session that ends elsewhere ends here too, and nothing of it is left on the page${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/', { as: null });
    const { page } = visit;
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(`fetch('/auth/visitor').then((answer) => answer.json()).then(({ session }) =>
    fetch('/auth/sign-out', { method: 'POST', headers: { 'x-csrf-token': session.csrf_token } }))`);
    // its streams are closed by the service, and the page asks why
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await page.getByText(people.member.email).count()).toBe(0);
  },
);

test(
  `an operator sees what has failed, opens it, and puts it back; what follows shows by itself${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/');
    const { page } = visit;
    expect(await visit.scriptBytes()).toBeLessThan(200_000);
    await page.getByRole('region', { name: 'Failed' }).getByRole('link', { name: fit.name }).first().click();
    await page.getByRole('heading', { name: fit.name }).waitFor();
    expect(page.url()).toBe(`${scene.url}/jobs/${failed}`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Given up').waitFor();
    expect(await page.getByRole('region', { name: 'Attempts' }).getByText('failed').count()).toBe(1);
    await page.getByRole('button', { name: 'Redrive' }).click();
    await page.getByRole('dialog').getByText('under the same id').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    await timeline.getByText('Put back into its queue by hand').waitFor();
    await expect.poll(() => timeline.getByText('Given up').count()).toBe(2);
    const log = page.getByRole('log', { name: 'Log' });
    await log.getByText('attempt=1').first().waitFor();
    await log.getByText('attempt=2').first().waitFor();
    expect(visit.troubles).toEqual([]);
  },
);

test(
  `a queue is paused with a reason, work waits, is cancelled, and the queue is resumed${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/');
    await using other = await scene.visit('/');
    const { page } = visit;
    await page.getByRole('button', { name: `Pause ${fit.name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why (optional)').fill('a chain is being repaired');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await other.page.getByText('a chain is being repaired').waitFor();
    const id = await ask();
    const row = other.page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: fit.name });
    await expect.poll(() => row.getByRole('cell').nth(3).innerText()).toBe('1');
    await visit.isSound('overview-paused');

    await other.page.goto(`${scene.url}/jobs/${id}`);
    await other.page.getByRole('button', { name: 'Cancel job' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await other.page.getByRole('region', { name: 'Timeline' }).getByText('Cancelled').waitFor();
    expect((await readJob(scene.context, id))?.state).toBe('cancelled');

    await page.getByRole('button', { name: `Resume ${fit.name}` }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: `Pause ${fit.name}` }).waitFor();
    expect([...visit.troubles, ...other.troubles]).toEqual([]);
  },
);

test(`jobs are found by id, state, queue and owner, and new ones come by themselves${where}`, options, async () => {
  await using visit = await scene.visit('/jobs');
  const { page } = visit;
  const rows = page.getByRole('table', { name: 'Jobs' }).locator('tbody tr');
  const linkTo = (id: string) => rows.locator(`a[href="/jobs/${id}"]`);
  await linkTo(failed).waitFor();
  const fresh = await ask({ owner: 'somebody-else' });
  await linkTo(fresh).waitFor();
  await page.getByLabel('Search').fill(failed);
  await expect.poll(() => rows.count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('text')).toBe(failed);
  await linkTo(failed).waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Mine' }).click();
  await linkTo(failed).waitFor();
  await expect.poll(() => linkTo(fresh).count()).toBe(0);
  await page.getByLabel('Owner').fill('somebody-else');
  await expect.poll(() => rows.count()).toBe(1);
  await linkTo(fresh).waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'awaiting approval' }).click();
  await page.getByText('No job fits').waitFor();
  await visit.isSound('jobs-none');
  await page.getByRole('button', { name: 'show all jobs' }).click();
  await linkTo(failed).waitFor();
  expect(visit.troubles).toEqual([]);
});

test(`who is no operator sees their own work alone, and no brakes${where}`, options, async () => {
  const own = await ask({ owner: `user:${people.member.email}` });
  await using visit = await scene.visit('/', { as: 'member' });
  const { page } = visit;
  await page.getByRole('table', { name: 'Queues' }).waitFor();
  expect(await page.getByRole('button', { name: /^Pause/ }).count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Fleets' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  const links = page.getByRole('table', { name: 'Jobs' }).getByRole('link');
  await expect.poll(() => links.count()).toBe(1);
  expect(await links.first().getAttribute('href')).toBe(`/jobs/${own}`);
  expect(await page.getByLabel('Owner').count()).toBe(0);
  expect(visit.troubles).toEqual([]);
  await page.goto(`${scene.url}/jobs/${failed}`);
  await page.getByText(`There is no job ${failed} that you may see`).waitFor();
});

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(`in %s at %i pixels no page has a fault${where}`, options, async (scheme, width) => {
  await using visit = await scene.visit('/', { scheme, width });
  const { page } = visit;
  await page
    .getByRole('img', { name: /^Jobs over time/ })
    .locator('canvas')
    .first()
    .waitFor();
  await visit.isSound('overview');
  if (width === 390) {
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    await page.getByRole('link', { name: 'Verify a receipt' }).waitFor();
    await visit.isSound('navigation');
  }
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('table', { name: 'Jobs' }).waitFor();
  await visit.isSound('jobs');
  await page.locator(`a[href="/jobs/${failed}"]`).click();
  await page.getByRole('region', { name: 'Timeline' }).waitFor();
  await visit.isSound('job');
});

test(`an address that leads nowhere says so, and the way past the navigation works${where}`, options, async () => {
  await using visit = await scene.visit('/jobs/none/of/these');
  const { page } = visit;
  await page.getByText('There is nothing at /jobs/none/of/these').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(visit.troubles).toEqual([]);
});

test(`an id that is none, and a filter that is none, are said once and in words${where}`, options, async () => {
  await using visit = await scene.visit('/missions/none');
  const { page } = visit;
  await page.getByText('You have no mission none').waitFor();
  await page.goto(`${scene.url}/jobs?state=odd`);
  const refusal = page.getByRole('alert').filter({ hasText: 'got "odd"' });
  await refusal.waitFor();
  expect(await refusal.getByRole('listitem').count()).toBe(0);
});

test(`a service that falls silent is said not to be live, and is live again by itself${where}`, options, async () => {
  await using visit = await scene.visit('/');
  const { page } = visit;
  await page.getByText('Live', { exact: true }).waitFor();
  const { pid } = readReady(scene.home)?.servers.api ?? {};
  if (pid === undefined) throw new Error('expected a system that runs');
  // who follows it hears them in the same moment: by two the page knows how often they come
  await page.evaluate(`new Promise((heard) => {
    const source = new EventSource('/v1/jobs/events');
    let beats = 0;
    source.addEventListener('heartbeat', () => ++beats === 3 && (source.close(), heard()));
  })`);
  // its connections stay open, and nothing comes
  process.kill(pid, 'SIGSTOP');
  try {
    await page.getByText('Not live, connecting again').waitFor();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.getByText('Not live').count()).toBe(0);
});

test(`a page whose files do not come says why, and comes when it is tried again${where}`, options, async () => {
  await using visit = await scene.visit('/');
  const { page } = visit;
  await page.getByText('Live', { exact: true }).waitFor();
  const away = /\/console\/|\/v1\/health/;
  await page.route(away, (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('heading', { name: 'The service does not answer' }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.unroute(away);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
  expect(page.url()).toBe(`${scene.url}/developers`);
});

test(
  `a symbol without a chain says how to get one, and a chain that is uploaded is analysed at once${where}`,
  options,
  async () => {
    // the start leaves one of each symbol
    const { db, redis, config } = scene.context;
    await db.query(sql.unsafe`delete from chains where symbol = 'SPX'`);
    const { state, answers, stream } = liveKeys(config, marketName('SPX'));
    await redis.del(state, answers, stream);
    await using visit = await scene.visit('/market/SPX', { as: 'member' });
    const { page } = visit;
    await page.getByText('There is no option chain of SPX to analyse').waitFor();
    await visit.screenshot('market-empty');
    expect(await visit.faults()).toEqual([]);
    const picked = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload a chain of SPX' }).click();
    await (await picked).setFiles(join(import.meta.dirname, '../../src/analytics/chains/example-chain.csv'));
    await page.getByRole('img', { name: /^Net gamma of SPX dealers over spot/ }).waitFor({ timeout: 60_000 });
    await page.getByText('You look at a chain that you have uploaded.').waitFor();
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('There is no option chain of SPX to analyse').waitFor();
  },
);
