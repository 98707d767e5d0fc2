import { expect, test } from 'vitest';
import { contract, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.resize-image';
const url = `/v1/queues/${queue}/jobs`;
const late = { prefer: 'respond-async' };
const texts = ['a\0b', 'a\ud800b'];

test.each([
  ['/title', (title: string) => ({ title })],
  ['/payload/description', (description: string) => ({ payload: { description } })],
  ['/payload/enum/1', (value: string) => ({ payload: { enum: [1, value] } })],
  ['/payload/properties', (name: string) => ({ payload: { properties: { [name]: {} } } })],
  ['/result/pattern', (pattern: string) => ({ result: { pattern } })],
  ['/unique/key/0', (name: string) => ({ unique: { key: [`/${name}`], while: 'queued', conflict: 'return' } })],
  ['/approval/why', (why: string) => ({ approval: { why } })],
])('error: a contract with text that cannot be stored is refused at %s', async (path, partOf) => {
  await using api = await remoteApi();
  for (const text of texts) {
    const answer = await api.call('PUT', '/v1/queues/acme.new-queue', { contract: { ...contract, ...partOf(text) } });
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { code: 'invalid_contract', details: { path } }]);
  }
});

test('error: what cannot be stored of a job is named, and is no failure of ours', async () => {
  await using api = await remoteApi();
  for (const text of texts)
    for (const [field, more] of [
      ['body.metadata', { metadata: { note: [text] } }],
      ['body.group', { group: text }],
      ['body.approval', { approval: { why: text } }],
    ] as const) {
      const answer = await api.call('POST', url, { payload: { width: 1 }, ...more }, late);
      expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(field)]);
    }
  const unique = { key: ['/name'], while: 'queued', conflict: 'return' };
  await api.call('PUT', '/v1/queues/acme.named-job', { contract: { ...contract, payload: {}, unique } });
  const named = async (name: string) =>
    await api.call('POST', '/v1/queues/acme.named-job/jobs', { payload: { name } }, late);
  for (const text of texts)
    expect([(await named(text)).statusCode, (await named(text)).json().code]).toEqual([422, 'invalid_payload']);
});

test.each(['2099-12-31T23:59:60Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
  'error: %s is no time that a job can have, alone and among many',
  async (time) => {
    await using api = await remoteApi();
    for (const field of ['run_at', 'expires_at'] as const) {
      const job = { payload: { width: 1 }, [field]: time };
      const one = await api.call('POST', url, job, late);
      expect([one.statusCode, one.json().detail]).toEqual([400, expect.stringContaining(`body.${field}`)]);
      const [answer] = (await api.call('POST', '/v1/jobs/bulk', [{ ...job, queue }])).body.trim().split('\n');
      expect(JSON.parse(answer!)).toMatchObject({ error: { code: 'invalid_request', details: { path: `/${field}` } } });
    }
  },
);

test('error: text that cannot be stored is refused by every route of queues, order, time and telling', async () => {
  await using api = await remoteApi();
  const operator = (await api.key({ owner: 'op', operator: true })).headers;
  const send = async (method: 'PUT' | 'POST', path: string, payload: object, headers?: object) =>
    await api.call(method, path, payload, { ...late, ...headers });
  const node = (more: object) => ({ nodes: [{ name: 'a', queue, payload: { width: 1 }, ...more }] });
  const action = (filter: object) => ({ action: 'cancel', filter, preview: true });
  const endpoint = { url: 'https://example.com/hooks', events: ['job.failed'] };
  const schedule = { queue, payload: { width: 1 }, cron: '0 7 * * *' };
  for (const text of texts)
    for (const [method, path, payload, headers] of [
      ['PUT', `/v1/queues/${queue}/rules`, { kind: 'group', name: text }],
      ['PUT', `/v1/queues/${queue}/rules`, { kind: 'queue', paused: true, reason: text }],
      ['PUT', '/v1/limits', { kind: 'queue_depth', scope: 'owner', subject: text, most: 1 }, operator],
      ['PUT', '/v1/schedules/daily', { ...schedule, payload: { width: text } }],
      ['PUT', '/v1/schedules/daily', { ...schedule, group: text }],
      ['PUT', '/v1/schedules/daily', { ...schedule, zone: text }],
      ['POST', '/v1/flows', node({ payload: { width: text } })],
      ['POST', '/v1/flows', { ...node({}), metadata: { note: text } }],
      ['POST', '/v1/jobs/actions', action({ text })],
      ['POST', '/v1/jobs/actions', action({ group: text })],
      ['POST', '/v1/jobs/actions', action({ error_code: text })],
      ['POST', '/v1/jobs/actions', action({ owner: text }), operator],
      ['POST', '/v1/webhook-endpoints', { ...endpoint, title: text }],
      ['POST', '/v1/webhook-endpoints', { ...endpoint, groups: [text] }],
      ['POST', '/v1/webhook-endpoints', { ...endpoint, queues: [text] }],
      ['POST', '/v1/stream-tokens', { queue: text }],
      ['POST', '/v1/queues/analytics.fit/pause', { reason: text }, operator],
    ] as const) {
      const { statusCode, body } = await send(method, path, payload, headers);
      expect([path, payload, statusCode, body]).toEqual([path, payload, expect.toBeOneOf([400, 422]), body]);
    }
});
