import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { openScene, options, patience, people, type Scene, where } from './scene.ts';

const queue = 'acme.resize-image';
const contract = { title: 'Resize an image', attempts: 1, payload: true, result: true };
const node = (name: string, ...others: string[]) => ({ name, queue, payload: {}, depends_on: others });

let scene: Scene;
let secret: string;
beforeAll(async () => {
  if (options.skip) return;
  // workers that register here do not beat
  scene = await openScene({ LEASE_MS: '600000' });
  const scopes = ['jobs.submit', 'jobs.work', 'jobs.manage'] as const;
  ({ secret } = await createKey(scene.context, { owner: `user:${people.member.email}`, name: 'flows', scopes }));
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

/** Takes one job and ends it. */
async function work(end: object): Promise<void> {
  const { worker } = await call('POST', '/v1/workers', { queues: [{ name: queue }], capacity: 1 });
  for (let jobs: any[] = []; jobs.length === 0; ) {
    ({ jobs } = await call('POST', `/v1/workers/${worker}/poll`, { credits: 1, jobs: [] }));
    const reports = jobs.map(({ id: job, attempt, token }) => ({ job, attempt, token, ...end }));
    if (reports.length > 0) await call('POST', `/v1/workers/${worker}/report`, { reports });
  }
  await call('DELETE', `/v1/workers/${worker}`);
}

const succeeded = { type: 'succeeded', result: { bytes: 1 } };

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(`in %s at %i pixels a flow is drawn as it runs${where}`, options, async (scheme, width) => {
  const { id } = await call('POST', '/v1/flows', { name: 'thumbnails', nodes: [node('list'), node('resize', 'list')] });
  await using visit = await scene.visit(`/flows/${id}`, { as: 'member', scheme, width });
  const { page } = visit;
  await page.getByRole('heading', { level: 1, name: 'thumbnails' }).waitFor();
  const drawing = page.getByRole('group', { name: 'Nodes of the flow' });
  await drawing.getByText('running', { exact: true }).waitFor();
  await drawing.getByText('pending', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Nodes' }).getByText(`No worker takes ${queue}@1`).waitFor();
  await visit.isSound('flow');
  await work(succeeded);
  await drawing.getByText('succeeded', { exact: true }).waitFor();
  await work({ type: 'failed', error: { message: 'no such image' }, retryable: false });
  await drawing.getByText('failed', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Nodes' }).getByText('no such image').waitFor();
  await page.getByRole('button', { name: 'Run the rest again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run the rest again' }).click();
  await drawing.getByText('running', { exact: true }).waitFor();
  await work(succeeded);
  await expect.poll(async () => await drawing.getByText('succeeded', { exact: true }).count()).toBe(2);
  await page.getByRole('link', { name: 'Its job' }).click();
  await page.getByRole('link', { name: 'Open its flow' }).waitFor();
  expect(visit.troubles).toEqual([]);
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(`in %s at %i pixels flows are listed, searched and followed${where}`, options, async (scheme, width) => {
  const name = `search-${scheme}`;
  const { id } = await call('POST', '/v1/flows', { name, nodes: [node('only')] });
  const { id: other } = await call('POST', '/v1/flows', { name: `other-${scheme}`, nodes: [node('only')] });
  await using visit = await scene.visit('/flows', { as: 'member', scheme, width });
  const { page } = visit;
  const list = page.getByRole('table', { name: 'Flows' });
  await list.getByText(`other-${scheme}`).waitFor();
  await visit.isSound('flows');
  await page.getByRole('textbox', { name: 'Search' }).fill(name.toUpperCase());
  await expect.poll(() => list.getByRole('row').count()).toBe(2);
  const row = list.getByRole('row', { name });
  await row.getByText('0 of 1').waitFor();
  await call('DELETE', `/v1/flows/${other}`);
  await call('DELETE', `/v1/flows/${id}`);
  await row.getByText('cancelled').waitFor();
  await row.getByText('1 of 1').waitFor();
  await row.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'Run the rest again' }).waitFor();
  expect(visit.troubles).toEqual([]);
});
