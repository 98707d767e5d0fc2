import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaCapability } from '#queues/providers.ts';
import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type TestConfig, testConfig } from '#test/helpers/config.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { type OpenaiRoute, type OpenaiScript, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import {
  answersBytes,
  answersJson,
  away,
  breaks,
  broken,
  busy,
  floods,
  foreign,
  half,
  hangs,
  page,
  refuses,
  rubbish,
  says,
  type Turn,
} from '#test/helpers/vendors/vendor-server.ts';
import { assetOf, callOf, failureOf, KEY, KEY_NAME } from '#test/providers/calls.ts';
import { offer, provider } from '#test/providers/offers.ts';

let tested: TestConfig;
let context: Context;
beforeAll(async () => {
  tested = await testConfig();
  context = await openContext(tested.config, 'worker');
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
});
afterAll(async () => {
  await context[Symbol.asyncDispose]();
  await tested[Symbol.asyncDispose]();
});

const PICTURE = '0198c0de-0000-7000-8000-000000000001';
const SOUND = '0198c0de-0000-7000-8000-000000000002';
const inputs = new Map([
  [PICTURE, assetOf(PICTURE, 'image/png', pngOf())],
  [SOUND, assetOf(SOUND, 'audio/wav', wavOf())],
]);

function at(
  url: string,
  capability: MediaCapability,
  offered: Partial<Offered> = {},
  more: Partial<Provider> = {},
): Provider {
  return provider({
    style: 'openai-compatible',
    url,
    credential: KEY_NAME,
    timeoutSeconds: 30,
    capabilities: { [capability]: offer(offered) },
    ...more,
  });
}

function generate(call: ProviderCall) {
  const adapter = adapterOf('openai-compatible');
  if (adapter.kind !== 'exchange') throw new Error('expected an exchange');
  return adapter.generate(call);
}

async function madeOnce(
  script: OpenaiScript,
  capability: MediaCapability,
  overrides: Partial<ProviderCall> = {},
  offered: Partial<Offered> = {},
  more: Partial<Provider> = {},
) {
  await using server = await startOpenaiLike(script);
  const made = await generate(
    callOf(context, { provider: at(server.url, capability, offered, more), capability, inputs, ...overrides }),
  );
  return { made, received: server.received() };
}

test.each(['base64', 'url'] as const)(
  'pictures come as %s, and what they cost by the tokens that were used',
  async (pictures) => {
    const { made, received } = await madeOnce(
      { pictures, usage: { input: 100, output: 2_000 } },
      'image.generate',
      {
        key: 'the-key',
        request: {
          prompt: 'a lighthouse',
          aspect: '9:16',
          count: 2,
          options: { quality: 'high', n: 9, model: 'dear' },
        },
      },
      { model: 'gpt-image-1', price: { perMillionInput: 5, perMillionOutput: 40 }, parameters: { quality: 'low' } },
    );
    expect(made.produced.map(({ name, mediaType, width }) => [name, mediaType, width])).toEqual([
      ['image', 'image/png', 8],
      ['image-2', 'image/png', 8],
    ]);
    expect(made.billed).toBe(100 * 5 + 2_000 * 40);
    expect(received[0]).toMatchObject({
      path: '/images/generations',
      headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': 'the-key' },
      // the offer's own parameter is sent, and no more is requested than was quoted
      body: { model: 'gpt-image-1', prompt: 'a lighthouse', n: 2, size: '1024x1536', quality: 'low' },
    });
  },
);

test('a picture is changed from the pictures and the mask that are given', async () => {
  const request = { prompt: 'make it night', inputs: { images: [PICTURE], mask: PICTURE } };
  const { made, received } = await madeOnce({ usage: null }, 'image.edit', { request }, { price: { perImage: 0.04 } });
  expect(made.produced).toHaveLength(1);
  expect(made.billed).toBe(40_000);
  const sent = received[0]?.bytes.toString('latin1') ?? '';
  expect(sent).toContain('name="image[]"; filename="image.png"');
  expect(sent).toContain('name="mask"; filename="mask.png"');
  expect(sent).toContain('make it night');
  expect(sent).toContain(pngOf().toString('latin1'));
});

test('a text is spoken, and billed by its characters', async () => {
  const request = { prompt: 'Good evening', voice: 'nova', mediaType: 'audio/mpeg' };
  const { made, received } = await madeOnce(
    { soundBytes: wavOf(2) },
    'tts.synthesize',
    { request },
    { price: { perThousandCharacters: 15 } },
  );
  expect(made.produced).toMatchObject([{ name: 'audio', kind: 'audio', mediaType: 'audio/wav', duration: 2 }]);
  expect(made.billed).toBe(180_000);
  expect(received[0]?.body).toEqual({ model: 'model-1', input: 'Good evening', voice: 'nova', response_format: 'mp3' });
});

test('a recording is written down', async () => {
  const request = { prompt: 'transcribe', language: 'de-AT', inputs: { audio: SOUND } };
  const { made, received } = await madeOnce(
    { text: 'Guten Abend' },
    'audio.transcribe',
    { request },
    { price: { perMillionInput: 2, perMillionOutput: 4 } },
  );
  expect(made).toMatchObject({ text: 'Guten Abend', produced: [], billed: 50 * 2 + 1_000 * 4 });
  const sent = received[0]?.bytes.toString('latin1') ?? '';
  expect(sent).toMatch(/name="language"\r\n\r\nde\r\n/);
  expect(sent).toContain('name="file"; filename="file.wav"');
});

test('a text is written', async () => {
  const price = { perMillionInput: 2, perMillionOutput: 8 };
  const { made, received } = await madeOnce(
    { text: 'At dusk.' },
    'text.generate',
    {},
    { price, parameters: { max_completion_tokens: 300 } },
  );
  expect(made).toMatchObject({ text: 'At dusk.', billed: 50 * 2 + 1_000 * 8 });
  expect(received[0]).toMatchObject({ path: '/chat/completions', body: { max_completion_tokens: 300 } });
});

test('a service that does not say what it used is billed as quoted', async () => {
  const { made } = await madeOnce({ usage: null }, 'image.generate', {}, { price: { perMillionOutput: 40 } });
  expect(made.billed).toBeNull();
});

const nothing = { code: 'provider_failed', owed: 'nothing' };
const perhaps = { code: 'provider_failed', owed: 'perhaps' };
const refused = { code: 'provider_refused', owed: 'nothing' };
const cut = answersBytes('audio/wav', wavOf().subarray(0, 1_000));

const misbehaviours: readonly (readonly [
  what: string,
  capability: MediaCapability,
  route: OpenaiRoute,
  turn: Turn,
  expected: object,
  message: string,
])[] = [
  ['429', 'image.generate', 'generate', busy, nothing, 'got 429'],
  ['503', 'image.generate', 'generate', away, nothing, 'got 503'],
  ['500', 'image.generate', 'generate', broken, perhaps, 'got 500'],
  ['a refusal', 'image.generate', 'generate', refuses, refused, 'goes against the content policy'],
  [
    'a key that is not known',
    'image.generate',
    'generate',
    answersJson(401, { error: { message: `Incorrect key ${KEY}` } }),
    nothing,
    'got 401',
  ],
  [
    'a refusal that repeats the key',
    'image.generate',
    'generate',
    answersJson(400, { error: { message: `No ${KEY}` } }),
    refused,
    'No [removed]',
  ],
  ['a broken connection', 'image.generate', 'generate', breaks, perhaps, 'broke off'],
  ['no answer', 'image.generate', 'generate', hangs, perhaps, 'within 1 s'],
  ['rubbish', 'image.generate', 'generate', rubbish, perhaps, 'other JSON or none'],
  ['JSON of another protocol', 'image.generate', 'generate', foreign, perhaps, 'other JSON or none'],
  ['a page', 'image.generate', 'generate', page, perhaps, 'text/html'],
  ['an answer that says it is too long', 'image.generate', 'generate', says(300_000_000), perhaps, 'at most'],
  [
    'a picture that is none',
    'image.generate',
    'generate',
    answersJson(200, { data: [{ b64_json: 'aGVsbG8gd29ybGQ=' }] }),
    perhaps,
    'no known format',
  ],
  [
    'half a picture',
    'image.generate',
    'generate',
    answersJson(200, { data: [{ b64_json: pngOf(64, 64).subarray(0, 90).toString('base64') }] }),
    perhaps,
    'damaged or not whole',
  ],
  [
    'an address inside',
    'image.generate',
    'generate',
    answersJson(200, { data: [{ url: 'https://169.254.169.254/latest' }] }),
    perhaps,
    'open internet',
  ],
  ['half a sound', 'tts.synthesize', 'speech', half('audio/wav', wavOf()), perhaps, 'broke off'],
  ['a sound that was cut', 'tts.synthesize', 'speech', cut, perhaps, 'not whole'],
  ['a page for a sound', 'tts.synthesize', 'speech', page, perhaps, 'no known format'],
  ['429 for a text', 'text.generate', 'chat', busy, nothing, '429'],
  ['a refused text', 'text.generate', 'chat', refuses, refused, 'refuses'],
  ['500 for a text', 'text.generate', 'chat', broken, perhaps, 'got 500'],
  ['rubbish for a text', 'text.generate', 'chat', rubbish, perhaps, 'other JSON or none'],
  ['an endless text', 'text.generate', 'chat', floods(), perhaps, 'at most'],
  ['rubbish for a transcript', 'audio.transcribe', 'transcribe', rubbish, perhaps, 'other JSON'],
];

test.each(misbehaviours)('error: %s (%s)', async (_what, capability, route, turn, expected, message) => {
  const more = turn === hangs ? { timeoutSeconds: 1 } : {};
  const request = { prompt: 'a lighthouse', inputs: { audio: SOUND } };
  const failure = await failureOf(madeOnce({ [route]: [turn] }, capability, { request }, {}, more));
  expect(failure).toMatchObject(expected);
  expect(failure.message).toContain(message);
  expect(failure.message).not.toContain(KEY);
});

test('error: a provider whose port is closed was sent nothing', async () => {
  const server = await startOpenaiLike();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  const call = callOf(context, { provider: at(url, 'image.generate'), capability: 'image.generate' });
  expect(await failureOf(generate(call))).toMatchObject(nothing);
});

test('error: without its key a provider is not called', async () => {
  await using server = await startOpenaiLike();
  const bare = at(server.url, 'image.generate', {}, { credential: 'NO_SUCH_KEY' });
  for (const capability of ['image.generate', 'text.generate'] as const) {
    const call = callOf(context, { provider: { ...bare, capabilities: { [capability]: offer() } }, capability });
    expect(await failureOf(generate(call))).toMatchObject(nothing);
  }
  expect(server.received()).toEqual([]);
});

test('a call that is given up ends with its own reason', async () => {
  await using server = await startOpenaiLike({ generate: [hangs] });
  const abort = new AbortController();
  const arrived = server.next('generate');
  const running = generate(
    callOf(context, { provider: at(server.url, 'image.generate'), capability: 'image.generate', signal: abort.signal }),
  );
  await arrived;
  abort.abort(new Error('given up'));
  await expect(running).rejects.toThrow('given up');
});

test('only an idempotent provider is called again after a crash', () => {
  const adapter = adapterOf('openai-compatible');
  if (adapter.kind !== 'exchange') throw new Error('expected an exchange');
  expect(adapter.repeat(provider())).toBe('neither');
  expect(adapter.repeat(provider({ idempotent: true }))).toBe('idempotent');
});
