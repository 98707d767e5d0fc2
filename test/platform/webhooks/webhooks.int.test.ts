import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import type { Scope } from '#src/lib/principal.ts';
import { notifyJobs, sendDeliveries } from '#src/platform/webhooks/notify-jobs.ts';
import { testApi } from '#test/http/api.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { answering, believed, openReceiver } from '#test/studio/receiver.ts';

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

let stack: AsyncDisposableStack;
let calm: Receiver;
let busy: Receiver;
let gone: Receiver;
let world: Awaited<ReturnType<typeof mediaWorld>>;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  calm = stack.use(await openReceiver());
  busy = stack.use(await openReceiver(answering(503), answering(204)));
  gone = stack.use(await openReceiver(answering(410)));
  world = stack.use(
    await mediaWorld({ PLATFORM_WEBHOOK_ORIGINS: [calm, busy, gone].map(({ origin }) => origin).join(',') }),
  );
});
afterAll(async () => await stack.disposeAsync());

const picture = async (webhook: object) =>
  await world.post('/images/generate', { prompt: 'a boat', size: '64x64', webhook }, { prefer: 'respond-async' });
const deliveries = async () => {
  const response = await fetch(`${world.url}/api/v2/webhooks?limit=100`, { headers: world.headers });
  return ((await response.json()) as { data: any[] }).data;
};
const deliveryOf = async (job: string, state: string) => {
  const find = async () => (await deliveries()).find((one) => one.job.id === job && one.state === state);
  await expect.poll(find, { timeout: 40_000 }).toBeDefined();
  return await find();
};

test('the end of a job is reported once, in a message that its receiver can believe, and again by hand', async () => {
  const address = `${calm.origin}/done?token=of-the-receiver`;
  const { body } = await picture({ url: address });
  const told = await deliveryOf(body.job.id, 'delivered');
  expect(told.job).toEqual({
    id: body.job.id,
    kind: 'job',
    state: 'succeeded',
    status: 'succeeded',
    url: body.job.url,
  });
  expect(told).toMatchObject({ event: 'completed', attempts: 1, replays: 0, last_status: 204, last_error: null });
  const [message] = calm.messages.filter(({ id }) => id === told.id);
  if (!message) throw new Error('no message');
  const secret = await ownerSecret(world.context, 'ada');
  const heard = believed(message, secret);
  expect(heard).toMatchObject({
    type: 'job.completed',
    data: { id: body.job.id, state: 'succeeded', error: null, result: { provider: 'local-animatic' } },
  });
  expect(await world.client.webhooks.unwrap(message.raw, message.headers as never, secret)).toEqual(heard);

  const shownTo = async (...scopes: readonly Scope[]) => {
    const { headers } = await world.key({ owner: 'ada', scopes });
    const listed = (await (await fetch(`${world.url}/api/v2/webhooks?limit=100`, { headers })).json()) as {
      data: any[];
    };
    const sent = await fetch(`${world.url}/api/v2/webhooks/${told.id}/replay`, { method: 'POST', headers });
    return [
      listed.data.find(({ id }) => id === told.id).url,
      sent.status === 202 ? ((await sent.json()) as any).url : null,
    ];
  };
  expect(await shownTo('platform.mcp.read')).toEqual([`${calm.origin}/…`, null]);
  expect(await shownTo('platform.mcp.read', 'jobs.manage')).toEqual([address, null]);

  const replay = async (headers = world.headers) =>
    await fetch(`${world.url}/api/v2/webhooks/${told.id}/replay`, { method: 'POST', headers });
  expect((await replay((await world.key({ owner: 'eve' })).headers)).status).toBe(404);
  expect((await replay()).status).toBe(202);
  await expect.poll(() => calm.messages.filter(({ id }) => id === told.id).length, { timeout: 40_000 }).toBe(2);
  const again = await deliveryOf(body.job.id, 'delivered');
  expect(again).toMatchObject({ id: told.id, attempts: 2, replays: 1 });
});

test('a busy receiver gets the message again, and one that is gone does not', async () => {
  const { body: first } = await picture({ url: `${busy.origin}/done`, events: ['completed'] });
  const { body: second } = await picture({ url: `${gone.origin}/done` });
  expect(await deliveryOf(first.job.id, 'delivered')).toMatchObject({ attempts: 2, last_status: 204 });
  expect(busy.messages.map(({ id }) => id)).toEqual([busy.messages[0]?.id, busy.messages[0]?.id]);
  expect(await deliveryOf(second.job.id, 'failed')).toMatchObject({ attempts: 1, last_status: 410 });
});

test('a private address is refused with the request, and a name that leads to one when it is called', async () => {
  for (const url of ['https://10.0.0.1/', 'http://example.com/', 'https://[::1]/', 'nonsense']) {
    const refused = await picture({ url });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'webhook.url' } } });
  }
  const { body } = await picture({ url: 'https://localhost:9/' });
  const told = await deliveryOf(body.job.id, 'failed');
  expect(told).toMatchObject({ attempts: 1, last_status: null });
  expect(told.last_error).toContain('public addresses alone');
});

test('only the requested ends are reported', async () => {
  const { context } = world;
  const quiet = await picture({ url: `${calm.origin}/quiet`, events: ['cancelled', 'failed'] });
  const loud = await picture({ url: `${calm.origin}/loud` });
  await deliveryOf(loud.body.job.id, 'delivered');
  const state = async () => (await readJob(context, quiet.body.job.id))?.state;
  await expect.poll(state, { timeout: 40_000 }).toBe('succeeded');
  await notifyJobs(context);
  expect((await deliveries()).filter(({ job }) => job.id === quiet.body.job.id)).toEqual([]);
});

test('an end is reported by the next process after one that died, and once', async () => {
  await using api = await testApi();
  const { context } = api;
  const { headers } = await api.key({ owner: 'ada' });
  const payload = { prompt: 'a boat', webhook: { url: 'https://receiver.example/' } };
  const asked = { method: 'POST', url: '/api/v2/images/generate', payload } as const;
  const accepted = await api.app.inject({ ...asked, headers: { ...headers, prefer: 'respond-async' } });
  const { id } = accepted.json().job;
  await notifyJobs(context);
  // nobody looks while it ends
  expect((await api.app.inject({ method: 'DELETE', url: `/v1/jobs/${id}`, headers })).statusCode).toBe(200);
  await notifyJobs(context);
  // the message is there, and who made it died before it had a job
  const list = async () => (await api.app.inject({ url: '/api/v2/webhooks', headers })).json().data;
  expect(await list()).toMatchObject([
    { job: { id, state: 'cancelled' }, event: 'cancelled', state: 'pending', attempts: 0 },
  ]);
  await notifyJobs(context);
  await sendDeliveries(context);
  // as one leaves it that died when it had submitted the job, and before it wrote that down
  await context.db.query(sql.unsafe`update platform_deliveries set sender = null`);
  await sendDeliveries(context);
  const jobs = await api.app.inject({ url: '/v1/jobs?queue=platform.notify', headers });
  expect(jobs.json().data).toMatchObject([{ state: 'queued' }]);
  expect(await list()).toHaveLength(1);
});
