import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  if (!options.skip) scene = await openScene();
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

test(`somebody signs in where they wanted to go, sees who they are, and signs out${where}`, options, async () => {
  await using visit = await scene.visit('/?from=a-link', { as: null });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await visit.isSound('sign-in');
  // by keyboard alone
  await page.getByRole('link', { name: 'Sign in' }).press('Enter');
  await page.getByLabel('E-mail address').fill(people.member.email);
  await page.getByLabel('Password').fill(people.member.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(page.url()).toBe(`${scene.url}/?from=a-link`);
  await page.getByRole('button', { name: people.member.email }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  await page.getByRole('button', { name: people.member.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  expect(visit.troubles).toEqual([]);
});

test(
  `a session that is over elsewhere ends here at the next call, without a word of it left${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/', { as: null });
    const { page } = visit;
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(people.member.email);
    await page.getByLabel('Password').fill(people.member.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: people.member.email }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await page.getByText(people.member.email).count()).toBe(0);
  },
);

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(`the overview in %s at %i pixels has no fault${where}`, options, async (scheme, width) => {
  await using visit = await scene.visit('/', { scheme, width });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await visit.isSound('overview');
  if (width === 1280) return;
  await page.getByRole('button', { name: 'Open the navigation' }).click();
  await page.getByRole('link', { name: 'Verify a receipt' }).waitFor();
  await visit.isSound('navigation');
});

test(`the first view needs less than 200 kB of script, and no charts${where}`, options, async () => {
  await using visit = await scene.visit('/');
  await visit.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await visit.scriptBytes()).toBeLessThan(200_000);
  expect(await visit.scriptBytes()).toBeGreaterThan(20_000);
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
