import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { jobScopes } from '#src/lib/principal.ts';
import { openScene, options, patience, type Scene, where } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  if (options.skip) return;
  scene = await openScene();
}, patience);
afterAll(async () => await scene?.[Symbol.asyncDispose]());

/** Calls the API with a key of an owner; answers the status and the body. */
const callerOf = async (owner: string, operator = false) => {
  const { secret } = await createKey(scene.context, { owner, name: 'test', scopes: jobScopes, operator });
  return async (
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: any }> => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', prefer: 'respond-async' };
    const answer = await fetch(`${scene.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, body: await answer.json() };
  };
};

const contract = { title: 'Draw a map', payload: { type: 'object' }, result: { type: 'object' } };

test(
  `rules of a queue and its groups are written, changed and removed beside their figures${where}`,
  options,
  async () => {
    const call = await callerOf('cartographers');
    await call('PUT', '/v1/queues/maps.draw-map', { contract });
    for (const group of ['north', 'north', 'south'])
      await call('POST', '/v1/queues/maps.draw-map/jobs', { payload: {}, group });
    const rules = async () => (await call('GET', '/v1/queues/maps.draw-map/rules')).body.data;
    for (const width of [1280, 390] as const) {
      await using visit = await scene.visit('/queues/maps.draw-map', { as: 'operator', width });
      const { page } = visit;
      const groups = page.getByRole('table', { name: 'Groups', exact: true });
      await groups.getByRole('row', { name: /^north 2/ }).waitFor();
      await page.getByRole('button', { name: 'Rule of north' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Weight').fill('3');
      await dialog.getByLabel('Jobs that run at once').fill('10');
      await dialog.getByLabel('Jobs that begin').fill('100');
      await dialog.getByLabel('Why').fill('They print tonight.');
      await visit.isSound('rule-edit');
      await dialog.getByRole('button', { name: 'Write the rule' }).click();
      const row = page.getByRole('table', { name: 'Rules' }).getByRole('row', { name: /Group north/ });
      await row.getByText('10 at once, 100 in').waitFor();
      const rate = { jobs: 100, per_seconds: 60 };
      expect(await rules()).toMatchObject([{ kind: 'group', name: 'north', weight: 3, concurrency: 10, rate }]);
      await groups.getByText('0 of 10').waitFor();
      await visit.isSound('queue-rules');

      await page.getByRole('button', { name: 'Change: Group north' }).click();
      await dialog.getByLabel('Jobs that run at once').fill('');
      await dialog.getByLabel('Paused').check();
      await dialog.getByRole('button', { name: 'Write the rule' }).click();
      await row.getByText('paused').waitFor();
      expect(await rules()).toMatchObject([{ weight: 3, concurrency: null, rate, paused: true }]);
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await dialog.getByLabel('Jobs that run at once').fill('0.5');
      await dialog.getByRole('button', { name: 'Write the rule' }).click();
      // half a job is none: the form stays, and nothing is written
      await dialog.getByRole('button', { name: 'Write the rule' }).waitFor();
      expect(await rules()).toHaveLength(1);
      await dialog.getByRole('button', { name: 'Leave it' }).click();
      await page.getByRole('button', { name: 'Remove: Group north' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Each group gets the same share').waitFor();
      expect(await rules()).toEqual([]);
    }
  },
);

test(`limits of callers are set, changed and removed beside those whom they refuse${where}`, options, async () => {
  for (const width of [1280, 390] as const) {
    const owner = `printers-${width}`;
    const call = await callerOf(owner);
    await call('PUT', `/v1/queues/${owner}.print-map`, { contract });
    const submit = async () => (await call('POST', `/v1/queues/${owner}.print-map/jobs`, { payload: {} })).status;
    await using visit = await scene.visit('/limits', { as: 'operator', width });
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    await page.getByRole('table', { name: 'Your limits' }).getByText('Requests in a minute').waitFor();
    await page.getByRole('button', { name: 'Set a limit' }).click();
    await dialog.getByLabel('Whose').fill(owner);
    await dialog.getByLabel('Most').fill('0');
    await dialog.getByRole('button', { name: 'Set the limit' }).click();
    await page.getByRole('button', { name: `Change queue_depth: owner ${owner}` }).waitFor();
    await expect.poll(submit, { timeout: 2_000 }).toBe(429);
    const refused = page.getByRole('table', { name: 'Refusals' }).getByRole('row', { name: new RegExp(owner) });
    await refused.getByText('owner-depth').waitFor();
    await visit.isSound('limits');
    await page.getByRole('button', { name: `Limit of ${owner}: owner-depth` }).click();
    await dialog.getByLabel('Most').fill('7');
    await dialog.getByRole('button', { name: 'Set the limit' }).click();
    await page.getByRole('row', { name: new RegExp(`owner ${owner} 7`) }).waitFor();
    await expect.poll(submit, { timeout: 2_000 }).toBe(202);
    await page.getByRole('button', { name: `Remove queue_depth: owner ${owner}` }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: `Change queue_depth: owner ${owner}` }).waitFor({ state: 'detached' });
  }
});

test(`a visitor who is no operator sees the limits that hold for them${where}`, options, async () => {
  await using visit = await scene.visit('/limits', { as: 'member', width: 390 });
  await visit.page.getByRole('table', { name: 'Your limits' }).waitFor();
  expect(await visit.page.getByRole('button', { name: 'Set a limit' }).count()).toBe(0);
  await visit.isSound('limits-own');
});
