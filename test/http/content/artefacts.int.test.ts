import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { signedLink } from '#src/providers/assets/asset-links.ts';
import { forgetAssets } from '#src/providers/assets/asset-retention.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { testApi } from '#test/http/api.ts';
import { keep, testHome } from '#test/providers/asset-world.ts';

const bytes = Buffer.from('0123456789');

async function begin(produced = { kind: 'video' as const, mediaType: 'video/webm', bytes }) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await testHome());
  const api = stack.use(await testApi({ PROOFLINE_HOME: home.path }));
  const { context, app } = api;
  const asset = await keep(context, { name: 'video-16x9', produced });
  const url = `/v1/artefacts/${asset.sha256}?asset=${asset.id}`;
  const link = (seconds = 60) => signedLink(context.config, asset, { seconds });
  const { headers } = await api.key();
  const get = async (more: Record<string, string> = {}, path = url) =>
    await app.inject({ url: path, headers: { ...headers, ...more } });
  const all = stack.move();
  return { api, context, app, asset, url, link, headers, get, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('the owner gets all of it, as what it is, and nothing that could run', async () => {
  await using world = await begin();
  const answer = await world.get();
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'video/webm',
    'content-length': '10',
    'accept-ranges': 'bytes',
    etag: `"${world.asset.sha256}"`,
    'content-disposition': 'inline; filename="video-16x9.webm"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    'cache-control': 'private, max-age=300',
  });
});

test('a range is answered with that part; what is none, or several, with all of it', async () => {
  await using world = await begin();
  const answerTo = async (range: string) => {
    const { statusCode, headers, body } = await world.get({ range });
    return [range, statusCode, headers['content-range'], body];
  };
  for (const expected of [
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=9-99', 206, 'bytes 9-9/10', '9'],
    ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=0-1,4-5', 200, undefined, '0123456789'],
    ['bytes=5-2', 200, undefined, '0123456789'],
    ['lines=0-1', 200, undefined, '0123456789'],
  ] as const) {
    expect(await answerTo(expected[0])).toEqual(expected);
  }
  // a range behind the end: how much there is
  const answer = await world.get({ range: 'bytes=10-' });
  expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10']);
  expect(answer.json()).toMatchObject({ code: 'range_not_satisfiable' });
});

test('HEAD says the same without the bytes; who has it gets 304; a part of another version is none', async () => {
  await using world = await begin();
  const { app, url, headers, get, asset } = world;
  const head = await app.inject({ method: 'HEAD', url, headers: { ...headers, range: 'bytes=0-3' } });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([206, '', '4']);
  const had = await get({ 'if-none-match': `"x", W/"${asset.sha256}"` });
  expect([had.statusCode, had.body]).toEqual([304, '']);
  expect((await get({ range: 'bytes=0-3', 'if-range': '"another"' })).statusCode).toBe(200);
  expect((await get({ range: 'bytes=0-3', 'if-range': `"${asset.sha256}"` })).statusCode).toBe(206);
});

test('a signed link needs no key, and is for one asset until its time', async () => {
  await using world = await begin();
  const { app, link, asset, context, api } = world;
  expect((await app.inject({ url: link() })).rawPayload.equals(bytes)).toBe(true);
  const stranger = (await api.key({ owner: 'owner-2' })).headers;
  expect((await app.inject({ url: link(), headers: stranger })).statusCode).toBe(200);
  const late = await app.inject({ url: link(-60) });
  expect([late.statusCode, late.json().code]).toEqual([403, 'forbidden']);
  const other = await keep(context, {
    produced: { kind: 'text', mediaType: 'text/plain', bytes: Buffer.from('other') },
  });
  const wrong = [
    link().replace(asset.id, other.id),
    link().replace(asset.sha256, other.sha256),
    link().replace(/expires=\d+/, 'expires=9999999999'),
    link().replace(/signature=(.)/, (_all, letter) => `signature=${letter === 'A' ? 'B' : 'A'}`),
    link().replace(/&signature=.*/, ''),
  ];
  for (const url of wrong) expect((await app.inject({ url })).statusCode).toBe(403);
});

test('error: no other owner gets it, or learns that it is there', async () => {
  await using world = await begin();
  const { app, api, url, asset, context, get } = world;
  expect((await app.inject({ url })).statusCode).toBe(401);
  const stranger = (await api.key({ owner: 'owner-2' })).headers;
  const answer = await app.inject({ url, headers: stranger });
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
  // the same bytes of somebody else are no way in
  const theirs = await keep(context, { owner: 'owner-2', produced: { kind: 'video', mediaType: 'video/webm', bytes } });
  expect(theirs.sha256).toBe(asset.sha256);
  expect((await get({}, url.replace(asset.id, theirs.id))).statusCode).toBe(404);
  expect((await get({}, url.replace(asset.sha256, '0'.repeat(64)))).statusCode).toBe(404);
  expect((await get({}, '/v1/artefacts/nothing?asset=nothing')).statusCode).toBe(400);
});

test('error: what retention has erased is 404 and says so; what the storage has lost is our fault', async () => {
  await using world = await begin();
  const { context, asset, get } = world;
  await blobsOf(context).remove(asset.sha256);
  expect((await get()).statusCode).toBe(500);
  await context.db.query(sql.unsafe`update assets set created_at = now() - interval '400 days'`);
  await forgetAssets(context);
  const answer = await get();
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({
    detail: expect.stringContaining('erased'),
    details: { erased_at: expect.any(String) },
  });
});

test('what could run is stored and not shown, under a safe name', async () => {
  await using world = await begin();
  const { context, get } = world;
  for (const [mediaType, name, disposition, type] of [
    ['image/svg+xml', '../../etc/passwd', 'attachment; filename="etc-passwd.svg"', 'image/svg+xml'],
    ['text/html', 'page"\r\nx: y', 'attachment; filename="page-x-y"', 'text/html'],
    ['nonsense', 'Größe 1', 'attachment; filename="Gro-e-1"', 'application/octet-stream'],
    ['image/webp', '...', 'inline; filename="artefact.webp"', 'image/webp'],
  ] as const) {
    const asset = await keep(context, { name, produced: { kind: 'data', mediaType, bytes } });
    const { headers } = await get({}, `/v1/artefacts/${asset.sha256}?asset=${asset.id}`);
    expect([headers['content-disposition'], headers['content-type']]).toEqual([disposition, type]);
  }
});

test('who leaves in the middle ends the reading', async () => {
  await using world = await begin({ kind: 'video', mediaType: 'video/webm', bytes: randomBytes(32 * 1_048_576) });
  const { app, link, context } = world;
  const { open } = blobsOf(context);
  const closed = Promise.withResolvers<void>();
  Object.assign(blobsOf(context), {
    open: async (...given: Parameters<typeof open>) => {
      const opened = await open(...given);
      opened?.stream.once('close', () => closed.resolve());
      return opened;
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const asked = httpRequest(`http://127.0.0.1:${port}${link()}`).end();
  asked.once('error', () => {});
  const [answer] = await once(asked, 'response');
  await once(answer, 'readable');
  asked.destroy();
  await closed.promise;
  const sent = (await context.metrics.proofline_artefact_bytes_total.get()).values.find(
    ({ labels }) => labels['direction'] === 'out',
  );
  expect(sent?.value).toBeLessThan(32 * 1_048_576);
});
