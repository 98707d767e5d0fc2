import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toFile } from 'openai';
import { sql } from 'slonik';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mediaWorld } from '#test/platform/media-world.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';

/** A picture of so many bytes, as its header says of such a size. */
function webpOf(bytes: number, width = 16, height = 16): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WEBPVP8X', 8, 'latin1');
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  return file;
}

const most = 400_000;
const catalogue = catalogueFile([provider({ capabilities: { 'image.edit': offer() } })]);
let world: Awaited<ReturnType<typeof mediaWorld>>;
let origin: string;
let asked: string[] = [];
let endless: ServerResponse | undefined;
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  if (request.url === '/endless') {
    endless = response.writeHead(200, { 'content-length': 250_000 });
    response.write(webpOf(100_000, 20_000, 20_000));
  } else response.end(webpOf(Number(request.url?.slice(1))));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  world = await mediaWorld({
    PLATFORM_FETCH_ORIGINS: origin,
    PROVIDERS_FILE: catalogue.path,
    MEDIA_UPLOAD_MAX_BYTES: String(most),
    UPLOAD_TOTAL_BYTES: '300000',
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  catalogue[Symbol.dispose]();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void (asked = []));

const dataUrl = (bytes: Buffer) => `data:image/webp;base64,${bytes.toString('base64')}`;
const edit = async (image: string | readonly string[], more: object = {}) =>
  await world.post('/images/edit', { prompt: 'at night', image, ...more }, { prefer: 'respond-async' });
const kept = async () =>
  await world.context.db.oneFirst(sql.unsafe`select count(*)::int from assets where erased_at is null`);

test('the inputs of a request are bounded together and taken one by one, and one that is refused keeps none', async () => {
  const refused = await edit([`${origin}/250000`, `${origin}/250001`, `${origin}/250002`]);
  expect(refused).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  expect(asked).toEqual(['/250000', '/250001']);
  expect(await kept()).toBe(0);
  const inText = dataUrl(webpOf(150_000));
  expect(await edit([inText, inText, inText], {})).toMatchObject({ status: 413 });
  expect(await kept()).toBe(0);
});

test('a picture that is too large is not read beyond its header, at an address, in a file and in a text', async () => {
  const sentence = {
    status: 400,
    body: { detail: expect.stringContaining('at most 40 megapixels, got 20000 × 20000') },
  };
  const left = Promise.withResolvers<void>();
  server.once('request', (request) => request.socket.once('close', () => left.resolve()));
  expect(await edit(`${origin}/endless`)).toMatchObject(sentence);
  await left.promise;
  expect(endless?.writableFinished).toBe(false);
  const large = await toFile(webpOf(200_000, 20_000, 20_000), 'a.webp');
  const { id } = await world.client.files.create({ file: large, purpose: 'vision' });
  expect(await edit(id)).toMatchObject(sentence);
  const long = await edit(dataUrl(webpOf(100, 16_000_000, 2)));
  expect(long).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('at most 32767 pixels a side, got 16000000 × 2') },
  });
});

test('files and what is fetched take room of this process as uploads do', async () => {
  const { id } = await world.client.files.create({ file: await toFile(webpOf(350_000), 'a.webp'), purpose: 'vision' });
  for (const image of [id, `${origin}/350000`])
    expect(await edit(image), image).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(await edit(`${origin}/100000`)).toMatchObject({ status: 202 });
});

test('nothing is stored of a request that no provider can take, or that comes to no job', async () => {
  const before = await kept();
  const image = dataUrl(webpOf(1_000));
  const nobody = await edit(image, { routing: { exclude: ['one'] } });
  expect(nobody).toMatchObject({ status: 503, body: { code: 'providers_exhausted' } });
  const form = new FormData();
  form.append('prompt', 'at night');
  form.append('model', 'another');
  form.append('image', new Blob([new Uint8Array(webpOf(1_000))]), 'a.webp');
  const init = { method: 'POST', headers: world.headers, body: form };
  expect((await fetch(`${world.url}/api/v2/images/edit`, init)).status).toBe(400);
  await world.context.db.query(sql.unsafe`
    create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  await world.context.db.query(sql.unsafe`
    create trigger refuse before insert on jobs for each row execute function refuse_all()`);
  try {
    expect(await edit(image)).toMatchObject({ status: 500 });
  } finally {
    await world.context.db.query(sql.unsafe`drop trigger refuse on jobs`);
  }
  expect(await kept()).toBe(before);
});

test('what missions may reach is open to no key: neither for inputs nor for webhooks, and no refusal names it', async () => {
  await using other = await mediaWorld({
    FETCH_ORIGINS: origin,
    WEBHOOK_ORIGINS: origin,
    PROVIDERS_FILE: catalogue.path,
  });
  const fetched = await other.post('/images/edit', { prompt: 'x', image: `${origin}/1000` });
  expect(fetched).toMatchObject({ status: 400, body: { error: { param: 'image' } } });
  const told = await other.post('/images/generate', { prompt: 'x', webhook: { url: `${origin}/hook` } });
  expect(told).toMatchObject({ status: 400, body: { error: { param: 'webhook.url' } } });
  const named = await edit('https://10.0.0.1/a.png');
  expect(JSON.stringify(named.body)).not.toContain(origin);
  expect(asked).toEqual([]);
});
