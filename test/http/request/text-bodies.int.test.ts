import { expect, test } from 'vitest';
import { remoteApi } from '#test/http/workers/remote.ts';

const queue = 'acme.any-thing';
const broken = (text: string) => Buffer.from(text.replaceAll('?', '\u00ff'), 'latin1');

test.each([
  [`/v1/queues/${queue}/jobs`, 'application/json', broken('{"payload":"a?"}')],
  ['/v1/jobs/bulk', 'application/json', broken(`[{"queue":"${queue}","payload":"a?"}]`)],
  ['/v1/jobs/bulk', 'application/x-ndjson', broken(`{"queue":"${queue}","payload":"a?"}`)],
])('error: %s as %s does not store bytes that are no UTF-8 as other text', async (url, type, payload) => {
  await using api = await remoteApi();
  const { headers } = await api.key({ scopes: ['jobs.submit', 'jobs.manage'] });
  const register = { contract: { title: 'Takes anything', payload: {}, result: {} } };
  expect((await api.call('PUT', `/v1/queues/${queue}`, register)).statusCode).toBe(201);
  const send = async (body: Buffer, contentType: string) =>
    await api.app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { ...headers, prefer: 'respond-async', 'content-type': contentType },
    });
  const refused = await send(payload, type);
  expect([refused.statusCode, refused.json()]).toMatchObject([400, { code: 'malformed_body' }]);
  const fine = Buffer.from(payload.toString('latin1').replaceAll('\u00ff', 'ÿ'));
  const other = await send(fine, `${type}; charset=iso-8859-1`);
  expect([other.statusCode, other.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  expect((await send(fine, `${type}; charset="UTF-8"`)).statusCode).toBeLessThan(300);
});
