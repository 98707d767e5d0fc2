import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { jobScopes } from '#src/lib/principal.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let stack: AsyncDisposableStack;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let scene: Scene;
beforeAll(async () => {
  if (options.skip) return;
  stack = new AsyncDisposableStack();
  receiver = stack.use(await openReceiver());
  scene = stack.use(await openScene({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin }));
}, patience);
afterAll(async () => await stack?.[Symbol.asyncDispose]());

/** Calls the API with a key of the member, or of the operator. */
const callerOf = async (owner: string) => {
  const { secret } = await createKey(scene.context, { owner, name: 'test', scopes: jobScopes });
  return async (method: 'PUT' | 'POST', path: string, body: object): Promise<any> => {
    const headers = { 'x-api-key': secret, 'content-type': 'application/json', prefer: 'respond-async' };
    const answer = await fetch(`${scene.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return await answer.json();
  };
};

const contract = { title: 'Send a report', payload: { type: 'object' }, result: { type: 'object' } };

test(`an endpoint is added, tested, told of a decision, and its message sent again${where}`, options, async () => {
  for (const width of [1280, 390] as const) {
    await using visit = await scene.visit('/notifications', { as: 'member', width });
    const { page } = visit;
    const title = `Receiver ${width}`;
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(title);
    await dialog.getByLabel('Address').fill(`${receiver.origin}/${width}`);
    await visit.isSound('notifications-add');
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
    expect(await dialog.getByRole('region', { name: 'secret' }).textContent()).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await page.getByRole('button', { name: `Test ${title}` }).click();
    await page.getByRole('status').getByText('It was taken in').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const call = await callerOf(`user:${people.member.email}`);
    await call('PUT', '/v1/queues/ada.send-report', { contract });
    await call('POST', '/v1/queues/ada.send-report/jobs', {
      payload: {},
      approval: { why: 'It is sent to customers.' },
    });
    const told = () =>
      receiver.messages.filter(({ path }) => path === `/${width}`).map(({ raw }) => JSON.parse(raw).type);
    await expect.poll(told).toEqual(['endpoint.test', 'approval.waiting']);
    await page.getByRole('row', { name: title }).getByRole('button', { name: 'Deliveries' }).click();
    const again = page.getByRole('button', { name: 'Send again: approval.waiting' });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return await page
          .getByRole('row', { name: /approval\.waiting/ })
          .getByText('delivered')
          .count();
      })
      .toBe(1);
    await visit.isSound('notifications');
    await again.click();
    await expect.poll(told).toEqual(['endpoint.test', 'approval.waiting', 'approval.waiting']);
    await page.getByRole('button', { name: `Remove ${title}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row', { name: title }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog.getByLabel('Address').fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
    await dialog.getByText('expected an https address of the open internet').waitFor();
  }
});

test(
  `the link of a decision opens its page on a telephone, signs in, shows the whole effect, and two taps decide${where}`,
  options,
  async () => {
    const call = await callerOf(`user:${people.member.email}`);
    await call('POST', '/v1/webhook-endpoints', { url: `${receiver.origin}/phone`, events: ['approval.waiting'] });
    await call('PUT', '/v1/queues/ada.send-report', { contract });
    const payload = { to: 'customers@example.com', text: 'Prices rise in May.' };
    const job = await call('POST', '/v1/queues/ada.send-report/jobs', {
      payload,
      approval: { why: 'It is sent to customers.' },
    });
    const messages = () => receiver.messages.filter(({ path }) => path === '/phone');
    await expect.poll(() => messages().length).toBe(1);
    const { url } = JSON.parse(messages()[0]!.raw).data;
    expect(new URL(url).origin).toBe(scene.url);
    await using visit = await scene.visit(new URL(url).pathname, { as: null, width: 390 });
    const { page } = visit;
    // the link alone shows nothing
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Prices rise in May.').count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(people.member.email);
    await page.getByLabel('Password').fill(people.member.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(url);
    await page.getByText('Prices rise in May.').first().waitFor();
    await page.getByText('It is sent to customers.').first().waitFor();
    await page.getByText('Its digest was checked in this browser').waitFor();
    await visit.screenshot('approval-phone');
    expect([await visit.faults(), await visit.fits()]).toEqual([[], true]);
    await page.getByRole('button', { name: 'Grant' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Grant' }).click();
    await page.getByText('Decided by').waitFor();
    const { state } = await (await page.request.get(`${scene.url}/v1/jobs/${job.id}`)).json();
    expect(state).toBe('queued');
  },
);
