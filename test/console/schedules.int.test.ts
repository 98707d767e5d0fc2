import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

const queue = 'acme.send-report';
const contract = {
  title: 'Send a report',
  payload: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  result: { type: 'object' },
};

let scene: Scene;
let secret: string;
beforeAll(async () => {
  if (options.skip) return;
  scene = await openScene();
  const scopes = ['jobs.submit', 'jobs.manage'] as const;
  ({ secret } = await createKey(scene.context, { owner: `user:${people.member.email}`, name: 'schedules', scopes }));
  await call('PUT', `/v1/queues/${queue}`, { contract });
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { 'x-api-key': secret, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${scene.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  expect([answer.ok, text]).toEqual([true, text]);
  return text === '' ? null : JSON.parse(text);
}

test(
  `a schedule is made, its pattern checked as it is typed, then run, paused, changed and deleted${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/schedules', { as: 'member' });
    const { page } = visit;
    await page.getByText('You have no schedules').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.getByLabel('Name').fill('weekly-report');
    await page.getByRole('combobox', { name: 'Queue' }).fill(queue);
    await page.keyboard.press('Escape');
    await page.getByLabel('Payload').fill('{"to": "ada@example.com"}');
    await page.getByRole('combobox', { name: 'Zone' }).fill('Australia/Lord_Howe');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Pattern' }).fill('0 25 * * 1');
    await page.getByText('cron: expected a pattern of five or six fields').waitFor();
    // the page asked the service about a wrong pattern, as it should
    const refusals = visit.troubles.length;
    expect(refusals).toBeGreaterThan(0);
    await page.getByRole('textbox', { name: 'Pattern' }).fill('30 7 * * 1');
    const times = page.getByRole('list', { name: 'Next times' });
    await expect
      .poll(() => times.getByRole('listitem').allInnerTexts())
      .toEqual(Array(3).fill(expect.stringMatching(/^Mon.*07:30:00 AM GMT\+1[01]/)));
    await page.getByRole('button', { name: 'Create schedule' }).click();

    await page.getByRole('heading', { name: 'weekly-report' }).waitFor();
    await page.getByText('It has not run yet').waitFor();
    const next = page.getByRole('table', { name: 'Next runs' });
    expect(await next.getByRole('row').count()).toBe(11);
    expect(await next.getByRole('columnheader').allInnerTexts()).toEqual([
      'In Australia/Lord_Howe',
      'Your time (UTC)',
      'From now',
    ]);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It is paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => next.getByRole('row').count()).toBe(11);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('By an interval').click();
    await page.getByLabel('Seconds between two runs').fill('1');
    await page.getByRole('combobox', { name: 'The run before has not ended' }).click();
    await page.getByRole('option', { name: 'Submit all the same' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('every 1 s, to').waitFor();
    const runs = page.getByRole('table', { name: 'Runs' });
    await runs.getByRole('link').first().waitFor();
    expect(await runs.getByText('queued').count()).toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { name: queue }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have no schedules').waitFor();
    expect(visit.troubles.slice(refusals).filter((one) => !one.includes('schedule-times'))).toEqual([]);
  },
);

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(`in %s at %i pixels schedules are listed, shown and edited${where}`, options, async (scheme, width) => {
  const name = `report-${scheme}-${width}`;
  const body = { queue, payload: { to: 'ada@example.com' } };
  await call('PUT', `/v1/schedules/${name}`, { ...body, cron: '0 7 * * 1-5', zone: 'Europe/London' });
  await call('PUT', `/v1/schedules/often-${name}`, { ...body, every_ms: 1_000 });
  await using visit = await scene.visit('/schedules', { as: 'member', scheme, width });
  const { page } = visit;
  const row = (text: string) =>
    page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: text });
  await row(`often-${name}`)
    .getByText(/queued|skipped/)
    .waitFor();
  await call('POST', `/v1/schedules/often-${name}/pause`);
  await page.reload();
  await row(`often-${name}`).getByText('paused').waitFor();
  await visit.isSound('schedules');
  await page.getByRole('link', { name: `often-${name}` }).click();
  await page.getByText('It is paused').waitFor();
  await page.getByRole('table', { name: 'Runs' }).waitFor();
  await visit.isSound('schedule');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('list', { name: 'Next times' }).waitFor();
  await visit.isSound('schedule-edit');
});
