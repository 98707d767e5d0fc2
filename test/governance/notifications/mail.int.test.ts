import { expect, test } from 'vitest';
import { openMailServer } from '#test/helpers/mail-server.ts';
import { notificationWorld } from './world.ts';

test('a mail says what happened and where to look, and comes again with the same Message-ID after a refusal', async () => {
  await using mail = await openMailServer();
  await using world = await notificationWorld({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Proofline <proofline@example.com>',
    MAIL_RECIPIENTS: '@example.org,ops@example.net',
    PUBLIC_URL: 'https://proofline.example',
  });
  mail.refusing.now = true;
  const { id } = await world.endpoint({ url: 'mailto:Ada@example.org', format: 'mail' });
  const job = await world.end('failed');
  const list = async () => await world.deliveries(`&endpoint=${id}`);
  await expect.poll(async () => (await list())[0]?.attempts ?? 0).toBeGreaterThan(0);
  expect((await list())[0]).toMatchObject({ state: 'pending', last_error: expect.stringContaining('Try again later') });
  mail.refusing.now = false;
  await world.pass(1);
  await expect.poll(() => mail.mails.length).toBe(1);
  const [sent] = mail.mails;
  expect([sent!.from, sent!.to]).toEqual(['proofline@example.com', ['ada@example.org']]);
  const body = sent!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(body).toContain('Subject: acme.resize-image failed');
  expect(body).toContain(`Message-ID: <${(await list())[0].id}@example.com>`);
  expect(body).toContain(`https://proofline.example/jobs/${job}`);
  const tried = await world.call('POST', `/v1/webhook-endpoints/${id}/test`);
  expect(tried.json()).toMatchObject({ delivered: true, status: null, error: null });
  expect(mail.mails[1]!.text).toContain('This is a test from Proofline');
});

test('error: mail goes to nobody that the settings do not name', async () => {
  await using mail = await openMailServer();
  await using world = await notificationWorld({ SMTP_URL: mail.url, MAIL_RECIPIENTS: '@example.org' });
  for (const [url, status] of [
    ['mailto:ada@example.com', 403],
    ['mailto:ada@evil-example.org', 403],
    ['mailto:ada@example.org?cc=eve@example.com', 400],
    ['mailto:ada@example.org, eve@example.com', 400],
    ['nobody', 400],
  ] as const) {
    const answer = await world.call('POST', '/v1/webhook-endpoints', { url, format: 'mail', events: ['job.failed'] });
    expect([url, answer.statusCode]).toEqual([url, status]);
  }
});
