import { afterAll, beforeAll, expect, test } from 'vitest';
import { soundFormats } from '#src/providers/catalogue/sound-formats.ts';
import { readMediaFile } from '#src/providers/http/media-file.ts';
import { wavOf } from '#test/helpers/vendors/media.ts';
import { type OpenaiRoute, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import type { VendorServer } from '#test/helpers/vendors/vendor-server.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';

/** Speech comes in the format that is asked for, whatever its provider makes. */
let stack: AsyncDisposableStack;
let vendor: VendorServer<OpenaiRoute>;
let world: Awaited<ReturnType<typeof mediaWorld>>;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  // it answers WAV, whatever it is asked for
  vendor = stack.use(await startOpenaiLike({ soundBytes: wavOf(1) }));
  const capabilities = { 'tts.synthesize': offer({ model: 'voice' }) };
  const stubborn = provider({ id: 'stubborn', style: 'openai-compatible', url: vendor.url, capabilities });
  const { path } = stack.use(catalogueFile([stubborn]));
  world = stack.use(await mediaWorld({ PROVIDERS_FILE: path }));
});
afterAll(async () => await stack.disposeAsync());

async function speech(id: string, more: object): Promise<{ type: string | null; name: string; bytes: Buffer }> {
  const response = await fetch(`${world.url}/api/v2/audio/speech`, {
    method: 'POST',
    headers: { ...world.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Good evening.', routing: { providers: [id] }, ...more }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString('latin1', 0, 300)).toBe(200);
  const name = response.headers.get('content-disposition') ?? '';
  return { type: response.headers.get('content-type'), name, bytes };
}

const { mp3, pcm } = soundFormats;
const cases = [
  ...Object.entries({ mp3, pcm }).map((one) => ['local-animatic', ...one] as const),
  ...Object.entries(soundFormats).map((one) => ['stubborn', ...one] as const),
];

test.for(cases)('%s: %s', async ([id, format, mediaType]) => {
  const { type, name, bytes } = await speech(id, { response_format: format });
  expect(type).toBe(mediaType);
  expect(name).toContain(format === 'opus' ? '.ogg' : `.${format}`);
  if (format === 'pcm') {
    // one that has a head is none
    expect(readMediaFile(bytes)).toBe('bytes of no known format of pictures, film or sound');
    expect(bytes.length % 2).toBe(0);
    // 24,000 samples a second of 16 bits
    if (id === 'stubborn') expect(bytes.length).toBe(48_000);
  } else expect(readMediaFile(bytes)).toMatchObject({ kind: 'audio', mediaType });
  if (format === 'opus') expect(bytes.includes('OpusHead')).toBe(true);
  const asked = vendor.received('speech').at(-1)?.body.response_format;
  // what has no head cannot be told from noise, so that it is converted here
  if (id === 'stubborn') expect(asked).toBe(format === 'pcm' ? 'wav' : format);
});

test('the same sound is the same bytes; without a format it comes as it is made', async () => {
  const [one, two] = [
    await speech('stubborn', { response_format: 'mp3' }),
    await speech('stubborn', { response_format: 'mp3' }),
  ];
  expect(one.bytes.equals(two.bytes)).toBe(true);
  expect((await speech('stubborn', {})).type).toBe('audio/wav');
});

test('the openai client gets what it asks for', async () => {
  const model = 'local-animatic/auto';
  const answer = await world.client.audio.speech.create({
    model,
    voice: 'alloy',
    input: 'Good evening.',
    response_format: 'pcm',
  });
  expect(answer.headers.get('content-type')).toBe('audio/pcm');
});
