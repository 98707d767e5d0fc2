import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { jobScopes } from '#src/lib/principal.ts';
import { linkIn, openMailServer } from '#test/helpers/mail-server.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

let stack: AsyncDisposableStack;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let mail: Awaited<ReturnType<typeof openMailServer>>;
let scene: Scene;
beforeAll(async () => {
  if (options.skip) return;
  stack = new AsyncDisposableStack();
  receiver = stack.use(await openReceiver());
  mail = stack.use(await openMailServer());
  const settings = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Proofline <proofline@example.com>',
    MAIL_RECIPIENTS: '@example.com',
  };
  scene = stack.use(await openScene({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin, ...settings }));
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
    const own = page.getByRole('table', { name: 'Endpoints' }).getByRole('row', { name: title });
    await own.getByRole('button', { name: 'Deliveries' }).click();
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
    await own.waitFor({ state: 'detached' });

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

test(
  `a decision that comes by mail, and by Slack, is decided on a telephone; who may not, and who comes late, is told so${where}`,
  options,
  async () => {
    const call = await callerOf(`user:${people.member.email}`);
    await call('POST', '/v1/webhook-endpoints', {
      url: `mailto:${people.member.email}`,
      format: 'mail',
      events: ['approval.waiting'],
    });
    await call('POST', '/v1/webhook-endpoints', {
      url: `${receiver.origin}/slack`,
      format: 'slack',
      events: ['approval.waiting'],
    });
    await call('PUT', '/v1/queues/ada.send-report', { contract });
    const submit = async () =>
      await call('POST', '/v1/queues/ada.send-report/jobs', { payload: { text: 'Prices rise.' }, approval: true });
    const before = mail.mails.length;
    const job = await submit();
    await expect.poll(() => mail.mails.length).toBe(before + 1);
    const link = linkIn(mail.mails.at(-1)!.text);
    const slack = () => receiver.messages.filter(({ path }) => path === '/slack');
    await expect.poll(() => slack().length).toBe(1);
    expect(slack()[0]!.raw).toContain(`<${link.href}|Look at it and decide>`);
    {
      await using visit = await scene.visit(link.pathname, { as: 'member', width: 390 });
      const { page } = visit;
      await page.getByText('Prices rise.').first().waitFor();
      await page.getByRole('button', { name: 'Grant' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Grant' }).click();
      await page.getByText('It is decided, and cannot be decided again.').waitFor();
      expect((await (await page.request.get(`${scene.url}/v1/jobs/${job.id}`)).json()).state).toBe('queued');
      await visit.isSound('approval-decided');
    }
    // the link again, after the decision: nothing is left to tap
    {
      await using visit = await scene.visit(link.pathname, { as: 'member', width: 390 });
      await visit.page.getByText('It is decided, and cannot be decided again.').waitFor();
      expect(await visit.page.getByRole('button', { name: 'Grant' }).count()).toBe(0);
    }
    // one that is over, and one of somebody else
    await submit();
    await expect.poll(() => slack().length).toBe(2);
    const [, late = ''] = /<([^|>]+)\|/.exec(JSON.parse(slack()[1]!.raw).blocks[0].text.text) ?? [];
    const id = late.split('/').at(-1) ?? '';
    await scene.context.db.query(
      sql.unsafe`update approvals set expires_at = now() - interval '1 minute' where id = ${id}`,
    );
    {
      await using visit = await scene.visit(new URL(late).pathname, { as: 'member', width: 390 });
      await visit.page.getByText('It is expired, and nothing of it happens.').waitFor();
      await visit.isSound('approval-expired');
    }
    const operators = await callerOf(`user:${people.operator.email}`);
    await operators('PUT', '/v1/queues/desk.send-report', { contract });
    const theirs = await operators('POST', '/v1/queues/desk.send-report/jobs', { payload: {}, approval: true });
    {
      await using visit = await scene.visit(`/studio/approvals/${theirs.approval_id}`, { as: 'member', width: 390 });
      await visit.page.getByText(`${people.member.email} may not decide this`).waitFor();
      expect([await visit.faults(), await visit.fits()]).toEqual([[], true]);
    }
  },
);

test(`the log shows webhooks of requests too, and sends one again${where}`, options, async () => {
  const owner = `user:${people.member.email}`;
  const { secret } = await createKey(scene.context, { owner, name: 'media', scopes: ['platform.mcp.execute'] });
  const answer = await fetch(`${scene.url}/api/v2/images/generate`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify({ prompt: 'a boat', size: '64x64', webhook: { url: `${receiver.origin}/work` } }),
  });
  const { job } = (await answer.json()) as { job: { id: string } };
  const told = () => receiver.messages.filter(({ path }) => path === '/work').map(({ raw }) => JSON.parse(raw).type);
  await expect.poll(told, { timeout: 60_000 }).toEqual(['job.completed']);
  for (const width of [1280, 390] as const) {
    await using visit = await scene.visit('/notifications', { as: 'member', width });
    const { page } = visit;
    const log = page.getByRole('table', { name: 'Webhooks of requests' });
    const row = log.getByRole('row', { name: /completed/ });
    await row.getByText('completed').waitFor();
    await expect
      .poll(async () => {
        await page
          .getByRole('region', { name: 'Webhooks of requests' })
          .getByRole('button', { name: 'Look again' })
          .click();
        return await row.getByText('delivered').count();
      })
      .toBe(1);
    await visit.isSound('notifications-work');
    const before = told().length;
    await row.getByRole('button', { name: `Send again: completed of ${job.id}` }).click();
    await expect.poll(() => told().length, { timeout: 30_000 }).toBe(before + 1);
    expect(visit.troubles).toEqual([]);
  }
});
