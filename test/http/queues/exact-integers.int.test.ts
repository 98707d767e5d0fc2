import { expect, test } from 'vitest';
import { contract, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.take-any';
const big = '12345678901234567890';

/** Sends JSON as it is written here: JSON.stringify would change the number that these tests are about. */
const send = async (api: RemoteApi, method: 'PUT' | 'POST', url: string, text: string, type = 'application/json') => {
  const { headers } = await api.key({ scopes: ['jobs.submit', 'jobs.work', 'jobs.manage'] });
  return await api.app.inject({
    method,
    url,
    payload: text,
    headers: { ...headers, 'content-type': type, prefer: 'respond-async' },
  });
};

const openApi = async () => {
  const api = await remoteApi();
  const put = await api.call('PUT', `/v1/queues/${queue}`, { contract: { ...contract, payload: true, result: true } });
  expect(put.statusCode).toBe(201);
  return api;
};

test('an integer that no double holds is refused with its place wherever the payload of a job comes in', async () => {
  await using api = await openApi();
  const { id } = (await send(api, 'POST', `/v1/queues/${queue}/jobs`, '{"payload":1}')).json();
  const ways = [
    ['POST', `/v1/queues/${queue}/jobs`, `{"payload":{"ids":[1,${big}]}}`, 'body.payload.ids[1]'],
    ['PUT', '/v1/schedules/hourly', `{"queue":"${queue}","every_ms":60000,"payload":${big}}`, 'body.payload'],
    ['POST', '/v1/flows', `{"nodes":[{"name":"a","queue":"${queue}","payload":${big}}]}`, 'body.nodes[0].payload'],
    ['POST', `/v1/jobs/${id}/signals/go`, `{"payload":${big}}`, 'body.payload'],
  ] as const;
  for (const [method, url, text, field] of ways) {
    const answer = await send(api, method, url, text);
    expect([url, answer.statusCode, answer.json().errors]).toMatchObject([url, 400, [{ field, value: big }]]);
    expect(answer.json().detail).toContain('12345678901234567000: send it as text');
  }
  const [one, two] = [`{"queue":"${queue}","payload":"${big}"}`, `{"queue":"${queue}","payload":${big}}`];
  for (const [type, bulk] of [
    ['application/x-ndjson', `${one}\n${two}\n`],
    ['application/json', `[${one}, ${two}]`],
  ] as const) {
    const answer = await send(api, 'POST', '/v1/jobs/bulk', bulk, type);
    const [taken, refused] = answer.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([taken, refused]).toMatchObject([{ created: true }, { index: 1, error: { code: 'invalid_request' } }]);
    expect(await api.job(taken.id)).toMatchObject({ payload: big });
  }
});

test('a machine client is refused it in a payload, and may number its messages as it likes', async () => {
  await using api = await openApi();
  const call = `"method":"tools/call","params":{"name":"job_submit","arguments":{"queue":"${queue}","payload":`;
  const text = (id: string, payload: string) => `{"jsonrpc":"2.0","id":${id},${call}${payload}}}}`;
  const refused = await send(api, 'POST', '/api/mcp', text('1', `{"n":${big}}`));
  expect(refused.body).toContain('body.params.arguments.payload.n');
  expect((await send(api, 'POST', '/api/mcp', text(big, '{"n":1}'))).body).not.toContain('expected an integer');
});

test('a name that programs take for more than a name is refused in a sentence of its own', async () => {
  await using api = await openApi();
  const alone = await send(api, 'POST', `/v1/queues/${queue}/jobs`, '{"payload":{"__proto__":1}}');
  expect([alone.statusCode, alone.json()]).toMatchObject([400, { code: 'malformed_body' }]);
  const lines = await send(
    api,
    'POST',
    '/v1/jobs/bulk',
    `{"queue":"${queue}","payload":{"__proto__":1}}`,
    'application/x-ndjson',
  );
  for (const words of [alone.json().detail, lines.body]) {
    expect(words).toContain('without a member __proto__');
    expect(words).not.toContain('not JSON');
  }
});
