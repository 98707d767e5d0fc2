import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fit } from '#queues/analytics.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { submit as submitJob } from '#src/jobs/submit/submit.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

const queue = 'acme.resize-image';
const contract = {
  title: 'Resize an image',
  payload: { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] },
  result: { type: 'object', properties: { bytes: { type: 'integer' } } },
};
/** Queue whose jobs the test itself works. */
const failing = 'acme.send-invoice';
/** Payloads of the first version do not fit the second. */
const next = { ...contract, payload: { ...contract.payload, required: ['width', 'height'] } };

let scene: Scene;
let secret: string;
beforeAll(async () => {
  if (options.skip) return;
  // workers that register here do not beat
  scene = await openScene({ LEASE_MS: '600000' });
  const scopes = ['jobs.submit', 'jobs.work', 'jobs.manage'] as const;
  ({ secret } = await createKey(scene.context, { owner: `user:${people.member.email}`, name: 'workers', scopes }));
  for (const [index, one] of [contract, next].entries())
    await call('PUT', `/v1/queues/${queue}`, { version: index + 1, contract: one });
}, patience);
afterAll(() => scene?.[Symbol.asyncDispose]());

async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { 'x-api-key': secret, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${scene.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  expect([answer.ok, text]).toEqual([true, text]);
  return text === '' ? null : JSON.parse(text);
}

const submit = async (payload: object, version: number) =>
  await call('POST', `/v1/queues/${queue}/jobs`, { payload, version, delay_ms: 0 });

test(
  `a queue without a taker says so, and a worker that connects shows with what it has in hand${where}`,
  options,
  async () => {
    await using visit = await scene.visit('/', { as: 'member' });
    const { page } = visit;
    const row = page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: queue });
    await row.getByText(`no worker takes ${queue}@2`).waitFor();
    await row.getByText('no worker', { exact: true }).waitFor();
    await page.getByText('No worker is connected').waitFor();

    const { worker } = await call('POST', '/v1/workers', {
      name: 'box-7',
      queues: [{ name: queue, versions: [1] }],
      capacity: 5,
      sdk: 'proofline-worker/1.0',
    });
    const workers = page.getByRole('table', { name: 'Connected workers' });
    await workers.getByText('box-7').waitFor();
    void submit({ width: 1 }, 1);
    for (let jobs = []; jobs.length === 0; )
      ({ jobs } = await call('POST', `/v1/workers/${worker}/poll`, { credits: 3, jobs: [] }));
    await expect
      .poll(async () => await workers.getByRole('row').nth(1).getByRole('cell').allInnerTexts(), { timeout: 20_000 })
      .toEqual([
        'box-7\nproofline-worker/1.0',
        `${queue}@1`,
        '1',
        '3',
        '5',
        expect.stringMatching(/now|ago/),
        expect.stringMatching(/now|ago/),
      ]);

    // an operator sees it too, and whose it is
    await using other = await scene.visit('/');
    await other.page.getByRole('table', { name: 'Connected workers' }).getByText(people.member.email).waitFor();
    await call('DELETE', `/v1/workers/${worker}`);
    await page.getByText('No worker is connected').waitFor();
    expect([...visit.troubles, ...other.troubles]).toEqual([]);
  },
);

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)(`in %s at %i pixels a queue shows its versions and contracts${where}`, options, async (scheme, width) => {
  await call('POST', '/v1/workers', { name: 'box-8', queues: [{ name: queue, versions: [1] }], capacity: 5 });
  await using visit = await scene.visit('/', { as: 'member', scheme, width });
  const { page } = visit;
  await page.getByRole('table', { name: 'Connected workers' }).getByText('box-8').first().waitFor();
  await visit.isSound('overview-workers');
  await page.getByRole('link', { name: `Contract of ${queue}` }).click();
  await page.getByRole('heading', { level: 1, name: queue }).waitFor();
  const versions = page.getByRole('table', { name: 'Versions' });
  await versions.getByText(`no worker takes ${queue}@2`).waitFor();
  await page
    .getByRole('region', { name: 'schema of the payload, version 2', exact: true })
    .getByText('"height"')
    .waitFor();
  expect(await page.getByRole('heading', { level: 2, name: /^Version/ }).allInnerTexts()).toEqual([
    'Version 2',
    'Version 1',
  ]);
  await visit.isSound('queue');
  expect(visit.troubles).toEqual([]);
});

test(`a queue of another owner is not there, and one of ours is an operator's to see${where}`, options, async () => {
  await using visit = await scene.visit('/queues/studio.render', { as: 'member' });
  await visit.page.getByText('There is no queue studio.render whose contract you may see').waitFor();
  await using other = await scene.visit('/queues/studio.render');
  await other.page.getByRole('heading', { level: 2, name: 'Version 1' }).waitFor();
  expect(other.troubles).toEqual([]);
});

test(
  `an owner runs a failed job of a queue of theirs again; another kind of job is an operator's${where}`,
  options,
  async () => {
    await call('PUT', `/v1/queues/${failing}`, { contract: { ...contract, attempts: 1 } });
    const { worker } = await call('POST', '/v1/workers', { queues: [{ name: failing }], capacity: 1 });
    const take = async () => {
      for (;;) {
        const { jobs } = await call('POST', `/v1/workers/${worker}/poll`, { credits: 1, jobs: [] });
        if (jobs.length > 0) return jobs[0];
      }
    };
    const { id } = await call('POST', `/v1/queues/${failing}/jobs`, { payload: { width: 1 }, delay_ms: 0 });
    const first = await take();
    const error = { code: 'no_paper', message: 'the printer has no paper' };
    await call('POST', `/v1/workers/${worker}/report`, {
      reports: [{ job: id, attempt: first.attempt, token: first.token, type: 'failed', error, retryable: false }],
    });

    await using visit = await scene.visit(`/jobs/${id}`, { as: 'member' });
    const { page } = visit;
    await page.getByText('the printer has no paper').first().waitFor();
    await page.getByRole('button', { name: 'Redrive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redrive' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Put back into its queue by hand').waitFor();
    const again = await take();
    await call('POST', `/v1/workers/${worker}/report`, {
      reports: [{ job: id, attempt: again.attempt, token: again.token, type: 'succeeded', result: { bytes: 1 } }],
    });
    await timeline.getByText('Succeeded').waitFor();
    expect(visit.troubles).toEqual([]);

    const principal = { owner: `user:${people.member.email}` };
    const { job } = await submitJob(scene.context, fit, { principal, payload: { chainId: randomUUID() } });
    await using other = await scene.visit(`/jobs/${job.id}`, { as: 'member' });
    await other.page.getByText('An operator can put it back into its queue').waitFor();
    expect(await other.page.getByRole('button', { name: 'Redrive' }).count()).toBe(0);
    expect(other.troubles).toEqual([]);
  },
);
