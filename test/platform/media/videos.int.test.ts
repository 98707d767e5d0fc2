import { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMediaFile } from '#src/providers/http/media-file.ts';
import { pngOf } from '#test/helpers/vendors/media.ts';
import { testApi } from '#test/http/api.ts';
import { mediaWorld } from '#test/platform/media-world.ts';

let world: Awaited<ReturnType<typeof mediaWorld>>;
beforeAll(async () => {
  world = await mediaWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const small = { model: 'auto', seconds: '1', size: '256x144' } as never as { model: 'sora-2' };
const completed = async (id: string) => {
  const status = async () => (await world.client.videos.retrieve(id)).status;
  await expect.poll(status, { timeout: 50_000 }).toBe('completed');
  return await world.client.videos.retrieve(id);
};

test('the openai client has a film made, lists it, reads its bytes and deletes it', async () => {
  const { videos } = world.client;
  const made = await videos.create({ prompt: 'a harbour', ...small });
  expect(made).toMatchObject({ object: 'video', progress: 0, seconds: '1', size: '256x144', prompt: 'a harbour' });
  expect(['queued', 'in_progress']).toContain(made.status);
  expect(await completed(made.id)).toMatchObject({ progress: 100, error: null, model: 'animatic' });
  const film = await videos.downloadContent(made.id);
  expect(film.headers.get('content-type')).toBe('video/mp4');
  const bytes = new Uint8Array(await film.arrayBuffer());
  expect(readMediaFile(bytes)).toMatchObject({ kind: 'video', width: 256, height: 144 });
  const url = `/api/v2/videos/${made.id}/content`;
  const ask = async (method: 'GET' | 'HEAD', headers: Record<string, string>) =>
    await world.app.inject({ method, url, headers: { ...world.headers, ...headers } });
  const part = await ask('GET', { range: 'bytes=4-7' });
  expect([part.statusCode, part.headers['content-range'], part.body]).toEqual([
    206,
    `bytes 4-7/${bytes.length}`,
    'ftyp',
  ]);
  const head = await ask('HEAD', {});
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(bytes.length), '']);
  expect(head.headers['accept-ranges']).toBe('bytes');
  expect((await ask('GET', { 'if-none-match': String(head.headers['etag']) })).statusCode).toBe(304);
  const other = await ask('GET', { range: 'bytes=4-7', 'if-range': '"another"' });
  expect([other.statusCode, other.rawPayload.length]).toEqual([200, bytes.length]);
  const behind = await ask('GET', { range: `bytes=${bytes.length}-` });
  expect([behind.statusCode, behind.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
  expect(behind.json()).toMatchObject({ code: 'range_not_satisfiable', error: { type: 'invalid_request_error' } });
  const picture = await videos.downloadContent(made.id, { variant: 'thumbnail' });
  expect(readMediaFile(new Uint8Array(await picture.arrayBuffer()))).toMatchObject({ kind: 'image' });
  expect(await videos.delete(made.id)).toEqual({ id: made.id, object: 'video.deleted', deleted: true });
  await expect(videos.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await expect(videos.downloadContent(made.id)).rejects.toMatchObject({ status: 404 });
});

test('a film starts from the picture that comes with it', async () => {
  const input_reference = await toFile(pngOf(64, 64), 'start.png', { type: 'image/png' });
  const made: any = await world.client.videos.create({ prompt: 'a harbour', input_reference, ...small });
  const { payload } = await world.app
    .inject({ url: made.job.links.self, headers: world.headers })
    .then((response) => response.json());
  expect(payload).toMatchObject({
    capability: 'video.from-image',
    request: { inputs: { images: [expect.any(String)] } },
  });
  expect(await completed(made.id)).toMatchObject({ status: 'completed' });
});

test('films come in pages, newest first', async () => {
  const eve = await world.key({ owner: 'eve' });
  const create = async (prompt: string) => {
    const payload = { prompt, seconds: 1, size: '256x144' };
    return (await world.app.inject({ method: 'POST', url: '/api/v2/videos', headers: eve.headers, payload })).json();
  };
  const [one, two] = [await create('one'), await create('two')];
  const page = async (query: string) =>
    (await world.app.inject({ url: `/api/v2/videos?${query}`, headers: eve.headers })).json();
  expect(await page('limit=1')).toMatchObject({
    object: 'list',
    data: [{ id: two.id }],
    last_id: two.id,
    has_more: true,
  });
  expect(await page(`limit=1&after=${two.id}`)).toMatchObject({ data: [{ id: one.id }], has_more: false });
  expect(await page('order=asc')).toMatchObject({ first_id: one.id, last_id: two.id });
  const held = await world.app.inject({ url: `/api/v2/videos/${two.id}`, headers: world.headers });
  expect(held.statusCode).toBe(404);
  for (const { id } of [one, two])
    await world.app.inject({ method: 'DELETE', url: `/api/v2/videos/${id}`, headers: eve.headers });
  expect(await page('')).toMatchObject({ data: [], first_id: null, last_id: null });
});

test('error: bytes of a film that is not there yet, a length that no provider makes, an unknown variant', async () => {
  // nobody works here
  await using api = await testApi();
  const { headers } = await api.key();
  const create = async (seconds: string) =>
    await api.app.inject({ method: 'POST', url: '/api/v2/videos', headers, payload: { prompt: 'a harbour', seconds } });
  const { id, status } = (await create('4')).json();
  expect(status).toBe('queued');
  const read = async (query: string) => await api.app.inject({ url: `/api/v2/videos/${id}/content?${query}`, headers });
  const early = await read('variant=video');
  expect(early).toMatchObject({ statusCode: 409, headers: { 'x-should-retry': 'false' } });
  expect(early.json().error).toMatchObject({ type: 'conflict_error', code: 'state_conflict' });
  expect((await read('variant=spritesheet')).statusCode).toBe(400);
  expect((await create('900')).json()).toMatchObject({ status: 400, error: { param: 'seconds' } });
  const deleted = await api.app.inject({ method: 'DELETE', url: `/api/v2/videos/${id}`, headers });
  expect(deleted.statusCode).toBe(200);
  expect((await api.app.inject({ url: `/v1/jobs/${id}`, headers })).json()).toMatchObject({ state: 'cancelled' });
});
