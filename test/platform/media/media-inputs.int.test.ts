import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pngOf } from '#test/helpers/vendors/media.ts';
import { mediaWorld } from '#test/platform/media-world.ts';

const MIB = 1_048_576;
let world: Awaited<ReturnType<typeof mediaWorld>>;
let origin: string;
const server = createServer((request, response) => {
  if (request.url === '/moved.png') response.writeHead(302, { location: '/boat.png' }).end();
  else if (request.url === '/endless.png') response.writeHead(200, { 'content-length': 200 * MIB }).flushHeaders();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(pngOf(16, 16));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // one that the operator allows, though it is a private one
  world = await mediaWorld({ PLATFORM_FETCH_ORIGINS: origin });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const upscale = async (image: string) => await world.post('/images/upscale', { image, resolution: 64 });
const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

/** A PNG of a few hundred bytes whose header says that it is so large. */
function bomb(width: number, height: number): Buffer {
  const bytes = pngOf(1, 1);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}

test('a picture is taken from a permitted address, whatever it calls itself', async () => {
  expect(await upscale(`${origin}/boat.png`)).toMatchObject({ status: 200, body: { size: '64x64' } });
});

test.each([
  ['a picture of 16 gigapixels in a few bytes', dataUrl(bomb(131_072, 131_072)), 400, 'at most 40 megapixels'],
  ['one of just too many', dataUrl(bomb(8_000, 5_001)), 400, '8000 × 5001'],
  ['a damaged picture', dataUrl(pngOf().subarray(0, 60)), 400, 'damaged or not whole'],
  ['another format', dataUrl(Buffer.from('GIF89a\x03\0\x05\0\0\0\0\x2c\0\x3b', 'latin1')), 400, 'got image/gif'],
  ['a private address', 'https://127.0.0.1/a.png', 400, 'open internet'],
  ['a private address as IPv6', 'https://[::ffff:10.0.0.1]/a.png', 400, 'open internet'],
  ['the address of a cloud’s secrets', 'http://169.254.169.254/latest', 400, 'open internet'],
  ['a name that leads to a private address', 'https://localhost/a.png', 400, 'public addresses alone'],
  ['an address with a user', 'https://ada:secret@example.com/a.png', 400, 'open internet'],
  ['another protocol', 'file:///etc/passwd', 400, 'data URL'],
  ['an asset of nobody', 'asset-0198c0de-0000-7000-8000-000000000001', 400, 'none of yours'],
])('error: %s as the picture', async (_name, image, status, message) => {
  const answer = await upscale(image);
  expect(answer).toMatchObject({ status, body: { error: { param: 'image', type: 'invalid_request_error' } } });
  expect(answer.body.detail).toContain(message);
});

test('a picture is taken from a file that the openai client has brought, for its owner alone', async () => {
  const file = await toFile(pngOf(16, 16), 'boat.png', { type: 'image/png' });
  const { id } = await world.client.files.create({ file, purpose: 'vision' });
  expect(await upscale(id)).toMatchObject({ status: 200, body: { size: '64x64' } });
  const { headers } = await world.key({ owner: 'eve' });
  const asked = { method: 'POST', url: '/api/v2/images/upscale', payload: { image: id } } as const;
  const refused = await world.app.inject({ ...asked, headers });
  expect(refused.json()).toMatchObject({ status: 400, error: { param: 'image' } });
});

test('redirects are not followed, and what says that it is too long is not read', async () => {
  expect((await upscale(`${origin}/moved.png`)).body.detail).toContain('redirects are not followed');
  expect(await upscale(`${origin}/endless.png`)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});

test('an asset of another owner is none', async () => {
  const { body } = await world.post('/images/generate', { prompt: 'a boat', size: '64x64' });
  const eve = await world.key({ owner: 'eve' });
  const payload = { image: body.data[0].asset.id };
  const answer = await world.app.inject({
    method: 'POST',
    url: '/api/v2/images/upscale',
    headers: eve.headers,
    payload,
  });
  expect(answer.json().detail).toContain('none of yours');
});

/** Sends the beginning of a form with a file of 100 MB, and waits for the answer before it sends the rest. */
async function upload(sentMegabytes: number, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const call = requestHttp(`${world.url}/api/v2/images/upscale`, {
    method: 'POST',
    headers: { ...world.headers, 'content-type': 'multipart/form-data; boundary=x', ...headers },
  });
  const answered = once(call, 'response');
  call.write('--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n');
  for (let n = 0; n < sentMegabytes; n++) call.write(Buffer.alloc(MIB, 0x20));
  const [response] = (await answered) as [IncomingMessage];
  const body: unknown = JSON.parse((await buffer(response)).toString());
  call.on('error', () => {});
  call.destroy();
  return { status: response.statusCode, body };
}

test.each([
  ['that says so is not read', 0, { 'content-length': String(100 * MIB) }],
  ['that does not say so is refused at the limit', 40, {}],
])('an upload of 100 MB %s', async (_name, sent, headers) => {
  expect(await upload(sent, headers)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
});

test('error: a form with too many files, with a field that is too long, and one that breaks off', async () => {
  const send = async (form: FormData | string, headers: Readonly<Record<string, string>> = {}, path = 'edit') => {
    const init = { method: 'POST', headers: { ...world.headers, ...headers }, body: form };
    const response = await fetch(`${world.url}/api/v2/images/${path}`, init);
    return { status: response.status, body: (await response.json()) as any };
  };
  const many = new FormData();
  for (let n = 0; n < 30; n++) many.append('image[]', new Blob(['x']), `${n}.png`);
  expect(await send(many)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  const long = new FormData();
  long.append('prompt', 'x'.repeat(300_000));
  expect(await send(long)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  const broken = '--x\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nhello';
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  expect(await send(broken, type)).toMatchObject({ status: 400, body: { code: 'malformed_body' } });
  const foreign = new FormData();
  foreign.append('image', 'upload-0000');
  expect(await send(foreign, {}, 'upscale')).toMatchObject({ status: 400, body: { error: { param: 'image' } } });
});

test('error: a prompt with the character U+0000, a form where JSON is wanted, an unknown member', async () => {
  const zero = await world.post('/images/generate', { prompt: 'a \0 b' });
  expect(zero).toMatchObject({ status: 400, body: { code: 'invalid_request', error: { param: 'prompt' } } });
  const form = new FormData();
  form.append('prompt', 'a boat');
  const init = { method: 'POST', headers: world.headers, body: form };
  expect((await fetch(`${world.url}/api/v2/images/generate`, init)).status).toBe(415);
  const stray = await world.post('/images/generate', { prompt: 'a boat', colour: 'red' });
  expect(stray).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error' } } });
  const streamed = await world.post('/images/generate', { prompt: 'a boat', stream: true });
  expect(streamed).toMatchObject({ status: 400, body: { error: { param: 'stream' } } });
});
