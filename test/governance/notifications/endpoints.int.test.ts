import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering, believed, openReceiver } from '#test/studio/receiver.ts';
import { type NotificationWorld, notificationWorld } from './world.ts';

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

let stack: AsyncDisposableStack;
let calm: Receiver;
let hanging: Receiver;
let gone: Receiver;
let liar: Receiver;
let redirecting: Receiver;
let world: NotificationWorld;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  calm = stack.use(await openReceiver());
  hanging = stack.use(await openReceiver(() => {}));
  gone = stack.use(await openReceiver(answering(410)));
  liar = stack.use(await openReceiver((response) => void response.writeHead(200).end('x'.repeat(100_000))));
  redirecting = stack.use(
    await openReceiver((response) => void response.writeHead(307, { location: `${calm.origin}/inside` }).end()),
  );
  const origins = [calm, hanging, gone, liar, redirecting].map(({ origin }) => origin).join(',');
  world = stack.use(await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: origins }));
});
afterAll(async () => await stack.disposeAsync());

const to = (receiver: Receiver, path: string) => receiver.messages.filter((message) => message.path === path);
const inject = async (method: 'PATCH' | 'POST' | 'DELETE' | 'GET', url: string, payload?: object) => {
  const { headers } = await world.key({ scopes: ['jobs.manage'] });
  return await world.app.inject({ method, url, headers, ...(payload && { payload }) });
};

test('an endpoint is notified once of what its filter wants, in a message that its receiver can believe', async () => {
  const { id, secret } = await world.endpoint({ url: `${calm.origin}/filter`, queues: ['acme.resize-image'] });
  await world.endpoint({ url: `${calm.origin}/other-queue`, queues: ['acme.other-queue'] });
  await world.endpoint({ url: `${calm.origin}/other-group`, groups: ['blue'] });
  const job = await world.end('failed', { group: 'red' });
  await world.end('succeeded');
  await expect.poll(() => to(calm, '/filter').length).toBe(1);
  const [message] = to(calm, '/filter');
  expect(believed(message!, secret)).toMatchObject({
    type: 'job.failed',
    data: { id: job, queue: 'acme.resize-image', group: 'red', error: { message: 'It is no image.' } },
  });
  await expect
    .poll(async () => await world.deliveries(`&endpoint=${id}`))
    .toMatchObject([
      { id: message!.id, type: 'job.failed', state: 'delivered', attempts: 1, last_status: 204, next_at: null },
    ]);
  expect([to(calm, '/other-queue'), to(calm, '/other-group')]).toEqual([[], []]);
  const detail = await world.call('GET', `/v1/webhook-deliveries/${message!.id}`);
  expect(detail.json().message).toEqual(JSON.parse(message!.raw));
});

test('messages about messages are not made', async () => {
  const { id } = await world.endpoint({ url: `${calm.origin}/everything`, events: ['*'] });
  const job = await world.end('succeeded');
  const heard = () => to(calm, '/everything').map(({ raw }) => JSON.parse(raw));
  const types = () => heard().flatMap(({ type, data }) => (data.id === job ? [type] : []));
  await expect.poll(() => new Set(types())).toEqual(new Set(['job.queued', 'job.started', 'job.succeeded']));
  expect(types()).toHaveLength(3);
  expect(heard().filter(({ data }) => data.queue !== 'acme.resize-image')).toEqual([]);
  expect((await inject('DELETE', `/v1/webhook-endpoints/${id}`)).statusCode).toBe(204);
  expect((await inject('GET', `/v1/webhook-endpoints/${id}`)).statusCode).toBe(404);
});

test('a new secret is signed with beside the one before for a day', async () => {
  const { id, secret: old } = await world.endpoint({ url: `${calm.origin}/rotated` });
  const { secret, previous_secret_until: until } = (
    await inject('POST', `/v1/webhook-endpoints/${id}/rotate-secret`)
  ).json();
  expect([secret === old, until]).toEqual([false, expect.any(String)]);
  await world.end('failed');
  await expect.poll(() => to(calm, '/rotated').length).toBe(1);
  const [both] = to(calm, '/rotated');
  expect(believed(both!, old)).toEqual(believed(both!, secret));
  await world.pass(25);
  await world.end('failed');
  await expect.poll(() => to(calm, '/rotated').length).toBe(2);
  const after = to(calm, '/rotated')[1]!;
  expect(believed(after, secret).type).toBe('job.failed');
  expect(() => believed(after, old)).toThrow('the signature is wrong');
});

test('a receiver that hangs holds up no other, and its message waits for another attempt', async () => {
  const slow = await world.endpoint({ url: `${hanging.origin}/hangs` });
  const quick = await world.endpoint({ url: `${calm.origin}/beside` });
  for (const _one of [1, 2, 3, 4, 5, 6]) await world.end('failed');
  await expect.poll(() => hanging.messages.length).toBeGreaterThan(0);
  await expect
    .poll(async () => (await world.deliveries(`&endpoint=${quick.id}`)).map(({ state }) => state))
    .toEqual(Array.from({ length: 6 }, () => 'delivered'));
  const waiting = await world.deliveries(`&endpoint=${slow.id}`);
  expect(waiting.every(({ state }) => state === 'pending' || state === 'sending')).toBe(true);
  await expect
    .poll(async () => (await world.deliveries(`&endpoint=${slow.id}`)).some(({ attempts }) => attempts > 0))
    .toBe(true);
  const failed = (await world.deliveries(`&endpoint=${slow.id}`)).find(({ attempts }) => attempts > 0);
  expect(failed.last_error).toContain('did not answer within');
  await inject('DELETE', `/v1/webhook-endpoints/${slow.id}`);
});

test('a receiver that lies about its answer, or redirects inside, has not taken the message', async () => {
  const lying = await world.endpoint({ url: `${liar.origin}/lies` });
  const moved = await world.endpoint({ url: `${redirecting.origin}/moves` });
  await world.end('failed');
  for (const { id } of [lying, moved]) {
    const list = async () => await world.deliveries(`&endpoint=${id}`);
    await expect.poll(async () => (await list())[0]?.attempts ?? 0).toBeGreaterThan(0);
    expect((await list())[0].state).not.toBe('delivered');
    await inject('DELETE', `/v1/webhook-endpoints/${id}`);
  }
  expect(to(calm, '/inside')).toEqual([]);
});

test('an endpoint that wants no more is disabled, with a notice to the others of its owner', async () => {
  const { id } = await world.endpoint({ url: `${gone.origin}/gone`, title: 'Old receiver' });
  await world.endpoint({ url: `${calm.origin}/notices`, events: ['endpoint.*'] });
  await world.end('failed');
  await expect.poll(() => to(calm, '/notices').length).toBe(1);
  expect(JSON.parse(to(calm, '/notices')[0]!.raw)).toMatchObject({
    type: 'endpoint.disabled',
    data: { id, title: 'Old receiver', why: expect.stringContaining('410') },
  });
  expect((await inject('GET', `/v1/webhook-endpoints/${id}`)).json()).toMatchObject({
    enabled: false,
    disabled_why: expect.stringContaining('410'),
  });
  const enabled = await inject('PATCH', `/v1/webhook-endpoints/${id}`, { enabled: true, events: ['job.cancelled'] });
  expect(enabled.json()).toMatchObject({ enabled: true, disabled_why: null, events: ['job.cancelled'] });
});

test('a test sends a real message and answers what came back', async () => {
  const good = await world.endpoint({ url: `${calm.origin}/test` });
  const bad = await world.endpoint({ url: `${gone.origin}/test` });
  expect((await inject('POST', `/v1/webhook-endpoints/${good.id}/test`)).json()).toMatchObject({
    delivered: true,
    status: 204,
    error: null,
  });
  expect(believed(to(calm, '/test')[0]!, good.secret).type).toBe('endpoint.test');
  expect((await inject('POST', `/v1/webhook-endpoints/${bad.id}/test`)).json()).toMatchObject({
    delivered: false,
    status: 410,
    error: expect.stringContaining('got 410'),
  });
});

test('a name that leads to a private address is refused when the connection is made', async () => {
  const { id } = await world.endpoint({ url: 'https://localhost:9/', events: ['asset.*'] });
  expect((await inject('POST', `/v1/webhook-endpoints/${id}/test`)).json()).toMatchObject({
    delivered: false,
    status: null,
    error: expect.stringContaining('public addresses alone'),
  });
});

test('one delivery, and those of a time, are sent again under their ids', async () => {
  const { id } = await world.endpoint({ url: `${calm.origin}/again` });
  const from = new Date(Date.now() - 60_000).toISOString();
  await world.end('failed');
  await world.end('failed');
  await expect.poll(() => to(calm, '/again').length).toBe(2);
  const states = async () => (await world.deliveries(`&endpoint=${id}`)).map(({ state }) => state);
  await expect.poll(states).toEqual(['delivered', 'delivered']);
  const [one] = await world.deliveries(`&endpoint=${id}`);
  expect((await inject('POST', `/v1/webhook-deliveries/${one.id}/replay`)).statusCode).toBe(202);
  await expect.poll(() => to(calm, '/again').filter((message) => message.id === one.id).length).toBe(2);
  await expect.poll(states).toEqual(['delivered', 'delivered']);
  const range = await inject('POST', `/v1/webhook-endpoints/${id}/replay`, { from });
  expect([range.statusCode, range.json()]).toEqual([202, { replayed: 2 }]);
  await expect.poll(() => to(calm, '/again').length).toBe(5);
  expect(new Set(to(calm, '/again').map((message) => message.id)).size).toBe(2);
});

test('the webhook of a submit is notified of the end of that job, by address or endpoint', async () => {
  const { id: endpoint } = await world.endpoint({ url: `${calm.origin}/by-endpoint`, events: ['mission.*'] });
  const first = await world.end('succeeded', { webhook: { url: `${calm.origin}/by-address` } });
  const second = await world.end('failed', { webhook: { endpoint } });
  await expect
    .poll(() => to(calm, '/by-address').map(({ raw }) => JSON.parse(raw)))
    .toMatchObject([{ type: 'job.succeeded', data: { id: first, result: { bytes: 1 } } }]);
  await expect
    .poll(() => to(calm, '/by-endpoint').map(({ raw }) => JSON.parse(raw)))
    .toMatchObject([{ type: 'job.failed', data: { id: second } }]);
  const secret = (
    await world.app.inject({ url: '/api/v1/webhook-secret', headers: (await world.key()).headers })
  ).json().secret;
  expect(believed(to(calm, '/by-address')[0]!, secret).type).toBe('job.succeeded');
  // an address is no endpoint that anybody made
  const { data } = (await world.call('GET', '/v1/webhook-endpoints')).json();
  expect(data.some(({ url }: { url: string }) => url.endsWith('/by-address'))).toBe(false);
});

test('an address is shown to those who may change it: others see its origin', async () => {
  const url = `${calm.origin}/services/T0/B0/secret-of-a-channel?token=1`;
  const { id } = await world.endpoint({ url });
  const shown = async (scopes: readonly ('jobs.submit' | 'jobs.manage')[], operator = false) => {
    const { headers } = await world.key({ scopes: [...scopes], operator });
    const [list, one] = ['/v1/webhook-endpoints', `/v1/webhook-endpoints/${id}`].map(
      async (path) => await world.app.inject({ url: path, headers }),
    );
    const { data } = (await list!).json();
    return [data.find((each: { id: string }) => each.id === id).url, (await one!).json().url];
  };
  expect(await shown(['jobs.submit'])).toEqual([`${calm.origin}/…`, `${calm.origin}/…`]);
  expect(await shown(['jobs.manage'])).toEqual([url, url]);
  expect(await shown(['jobs.submit'], true)).toEqual([url, url]);
});

test('error: what cannot be notified is refused with its place, and rows are their owner’s alone', async () => {
  const refused: [object, number, string][] = [
    [{ url: 'http://example.com/' }, 400, 'body.url'],
    [{ url: 'https://10.0.0.1/' }, 400, 'body.url'],
    [{ url: 'https://[::1]/' }, 400, 'body.url'],
    [{ url: 'mailto:ada@example.com', format: 'mail' }, 400, 'SMTP_URL'],
    [{ url: 'https://example.com/', events: ['nothing.*'] }, 400, 'body.events'],
    [{ url: 'https://example.com/', events: [] }, 400, 'body.events'],
    [{ url: 'https://example.com/', every_owner: true }, 403, 'every_owner'],
  ];
  for (const [body, status, place] of refused) {
    const answer = await inject('POST', '/v1/webhook-endpoints', { events: ['job.failed'], ...body });
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(place)]);
  }
  const { id } = await world.endpoint({ url: `${calm.origin}/own` });
  const { headers } = await world.key({ owner: 'owner-2', scopes: ['jobs.manage'] });
  for (const [method, url] of [
    ['GET', `/v1/webhook-endpoints/${id}`],
    ['DELETE', `/v1/webhook-endpoints/${id}`],
    ['POST', `/v1/webhook-endpoints/${id}/test`],
    ['POST', `/v1/webhook-endpoints/${id}/rotate-secret`],
    ['GET', `/v1/webhook-deliveries/${(await world.deliveries())[0].id}`],
  ] as const)
    expect([url, (await world.app.inject({ method, url, headers })).statusCode]).toEqual([url, 404]);
  const bad = await world.call('POST', '/v1/queues/acme.resize-image/jobs', {
    payload: { width: 1 },
    webhook: { url: 'https://10.0.0.1/' },
  });
  expect([bad.statusCode, bad.body]).toEqual([400, expect.stringContaining('body.webhook.url')]);
});
