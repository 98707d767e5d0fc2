import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, options, patience, type Scene, where } from './scene.ts';

const run = promisify(execFile);

let scene: Scene;
beforeAll(async () => {
  if (!options.skip) scene = await openScene();
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

/** Calls are noted in the background, within about a second. */
const noted = async (owner: string, count: number) =>
  await expect
    .poll(
      async () =>
        await scene.context.db.oneFirst(
          sql.unsafe`select count(*) as n from calls where owner = ${owner} and via = 'http' and key_id is not null`,
        ),
      { timeout: 30_000 },
    )
    .toBe(count);

test(
  `a visitor makes a key, calls with it, sees what it was used for, limits it, and revokes it${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/developers', { as: 'member' });
    const { page } = visit;
    await page.getByText('You have no key that can be used').waitFor();
    await visit.isSound('developers-empty');

    // by keyboard: open, say nothing, be told what is missing
    await page.getByRole('button', { name: 'Create a key' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').waitFor();
    await dialog.getByRole('checkbox', { name: 'platform.mcp.read' }).uncheck();
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.1\n300.1.1.1');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    await dialog.getByText('Give it a name by which you will know what it is for.').waitFor();
    await dialog.getByText('Expected an IPv4 address such as 203.0.113.7, got 300.1.1.1.').waitFor();
    await dialog.getByText('Choose at least one').waitFor();
    await dialog.getByLabel('Name').fill('Nightly report');
    for (const scope of ['studio.read', 'studio.brief', 'jobs.work'])
      await dialog.getByRole('checkbox', { name: scope }).check();
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.1');
    await visit.isSound('developers-create');
    await dialog.getByRole('button', { name: 'Create the key' }).press('Enter');
    const secret = (await dialog.getByRole('region', { name: 'key', exact: true }).textContent()) ?? '';
    expect(secret).toMatch(/^sk-platform-/);
    await visit.isSound('developers-secret');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    // what the page says one calls with works as it is
    const snippet = (language: string) =>
      page
        .getByText(language, { exact: true })
        .click()
        .then(() => page.getByRole('region', { name: 'Studio example' }).textContent());
    const env = { ...process.env, PROOFLINE_KEY: secret };
    const typescript = (await snippet('TypeScript')) ?? '';
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', typescript], { env });
    expect(stdout).toContain('Harbour');
    const curl = (await snippet('curl')) ?? '';
    expect(curl).toMatch(/^curl -s http:.+\/api\/studio\/v1\/brief \\\n/);
    const answer = await fetch(`${scene.url}/api/studio/v1/plan`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(403);
    await noted('user:ada@example.com', 2);

    await page.getByRole('link', { name: 'Nightly report' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly report' }).waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    const calls = page.getByRole('table', { name: 'Calls by capability' });
    await calls.getByRole('row', { name: /studio\.brief\s*1\s*0/ }).waitFor();
    await calls.getByRole('row', { name: /studio\.plan\s*1\s*1/ }).waitFor();
    await page.getByRole('img', { name: /^2 calls in the last 14 days/ }).waitFor();
    await page.getByRole('table', { name: 'Newest calls' }).getByText('403').waitFor();
    await visit.isSound('developers-key');

    await page.getByRole('button', { name: 'Limit' }).click();
    await dialog.getByRole('checkbox', { name: 'studio.brief' }).uncheck();
    await dialog.getByLabel('Name').fill('Nightly reader');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly reader' }).waitFor();
    await page.getByRole('table', { name: 'Changes' }).getByText('updated').waitFor();
    expect(
      (await scene.context.db.anyFirst(sql.unsafe`select scopes from keys where owner = 'user:ada@example.com'`))[0],
    ).toEqual(['studio.read', 'jobs.work']);

    await page.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('This cannot be taken back.').waitFor();
    await visit.isSound('developers-revoke');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked').first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    const status = async () =>
      (await fetch(`${scene.url}/api/studio/v1/capabilities`, { headers: { authorization: `Bearer ${secret}` } }))
        .status;
    await expect.poll(status, { timeout: 30_000 }).toBe(401);
    expect(visit.troubles).toEqual([]);
  },
);

test.each([
  ['light', 390],
  ['dark', 1280],
] as const)(`keys and examples in %s at %i pixels have no fault${where}`, options, async (scheme, width) => {
  await using visit = await scene.visit('/developers', { scheme, width });
  const { page } = visit;
  await page.getByRole('link', { name: 'default admin' }).waitFor();
  await page.getByRole('tab', { name: 'Agents' }).click();
  await page.getByText('mcpServers').waitFor();
  await page.getByRole('tab', { name: 'Missions' }).click();
  await visit.isSound('developers');
  await page.getByRole('link', { name: 'default admin' }).click();
  await page.getByText('No call in the last 14 days').waitFor();
  await visit.isSound('developers-key');
});

test(`error: the address of another owner’s key leads to one’s own keys${where}`, options, async () => {
  await using visit = await scene.visit(`/developers/${crypto.randomUUID()}`, { as: 'member' });
  await visit.page.getByText('You have no such key').waitFor();
  await visit.page.getByRole('link', { name: 'See your keys' }).click();
  await visit.page.getByRole('heading', { name: 'Developers' }).waitFor();
  expect(visit.troubles).toEqual([]);
});
