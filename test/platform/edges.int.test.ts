import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { mediaWorld } from './media-world.ts';
import { platformWorld } from './platform-client.ts';
import { responsesWorld } from './responses/world.ts';

test('a key is one request under all names of a route, and another under another', async () => {
  await using world = await mediaWorld();
  const body = { prompt: 'a pier', size: '64x64' };
  const key = { 'idempotency-key': 'pier' };
  const first = await world.post('/images/generate', body, key);
  const again = await world.post('/images/generations', body, key);
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body.job.id).toBe(first.body.job.id);
  const other = await world.post('/music/generate', { prompt: 'a pier' }, key);
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
});

test('an unknown path points to the description of the platform, one elsewhere to that of all', async () => {
  await using world = await platformWorld();
  const detailOf = async (url: string) => (await world.api.app.inject({ url })).json().detail;
  expect(await detailOf('/api/v2/nothing')).toContain('(/api/openapi.json lists them)');
  expect(await detailOf('/v1/nothing')).toContain('(/v1/openapi.json lists them)');
});

test('a request that needs no body may say that it is JSON and bring none; one that needs a body may not', async () => {
  await using world = await platformWorld();
  const { headers } = await world.api.key();
  const empty = async (method: 'POST' | 'DELETE', url: string) =>
    (await world.api.app.inject({ method, url, headers: { ...headers, 'content-type': 'application/json' } })).json();
  const none = `resp_${'0'.repeat(32)}`;
  expect(await empty('POST', `/api/v2/responses/${none}/cancel`)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await empty('DELETE', `/api/v2/responses/${none}`)).toMatchObject({ status: 404, code: 'not_found' });
  expect(await empty('POST', '/api/v2/responses')).toMatchObject({ status: 400, code: 'malformed_body' });
});

test('of equal requests for the background that come at once, all but one say that they are repetitions', async () => {
  await using world = await responsesWorld({}, { fleet: false });
  const { headers } = await world.key({ owner: 'ada' });
  const send = async () =>
    await world.app.inject({
      method: 'POST',
      url: '/api/v2/responses',
      headers: { ...headers, 'idempotency-key': 'six' },
      payload: { input: 'Greet me', background: true },
    });
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1);
  const isReplay = ({ headers: told }: (typeof answers)[number]) => told['idempotency-replayed'] === 'true';
  expect(answers.filter(isReplay)).toHaveLength(5);
  // as the second of two finds it: accepted, and not told yet
  await world.context.db.query(sql.unsafe`delete from responses`);
  await world.context.db.query(sql.unsafe`update jobs set held = true`);
  const late = await send();
  expect([late.json().status, isReplay(late)]).toEqual(['queued', true]);
});
