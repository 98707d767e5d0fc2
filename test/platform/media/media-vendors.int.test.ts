import { toFile } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { type OpenaiRoute, startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { answersBytes, away, refuses, type VendorServer } from '#test/helpers/vendors/vendor-server.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';

/** What providers outside do for the platform, by a server that speaks as they do. */
let stack: AsyncDisposableStack;
let first: VendorServer<OpenaiRoute>;
let second: VendorServer<OpenaiRoute>;
let world: Awaited<ReturnType<typeof mediaWorld>>;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  first = stack.use(await startOpenaiLike({ imageBytes: pngOf(64, 32), text: 'Good evening.' }));
  second = stack.use(await startOpenaiLike({ imageBytes: pngOf(32, 32) }));
  const style = 'openai-compatible' as const;
  const { path } = stack.use(
    catalogueFile([
      provider({
        id: 'first',
        style,
        url: first.url,
        capabilities: {
          'image.generate': offer({ model: 'painter-1', quality: 1 }),
          'image.edit': offer({ model: 'painter-1' }),
          'audio.transcribe': offer({ model: 'scribe-1', price: { perCall: 0.01 } }),
          'tts.synthesize': offer({ model: 'voice-1', quality: 1 }),
        },
      }),
      provider({
        id: 'second',
        style,
        url: second.url,
        capabilities: { 'image.generate': offer({ model: 'painter-2', quality: 0.9, price: { perCall: 0.05 } }) },
      }),
    ]),
  );
  world = stack.use(await mediaWorld({ PROVIDERS_FILE: path }));
});
afterAll(async () => await stack.disposeAsync());

const outside = { exclude: ['local-animatic'] };

test('the openai client has pictures changed: what it uploads reaches the provider as it is', async () => {
  const [one, two] = [pngOf(16, 16), pngOf(24, 16)];
  const made: any = await world.client.images.edit({
    model: 'first/painter-1',
    prompt: 'make it night',
    image: [await toFile(one, 'one.png', { type: 'image/png' }), await toFile(two, 'two.png', { type: 'image/png' })],
    mask: await toFile(pngOf(16, 16), 'mask.png', { type: 'image/png' }),
    n: 1,
    quality: 'high',
    output_format: 'webp',
  });
  expect(made.data).toHaveLength(1);
  expect(Buffer.from(made.data[0].b64_json, 'base64').readUInt32BE(16)).toBe(64);
  expect(made.run).toMatchObject({ provider: 'first', model: 'painter-1', cost_usd: 0.02 });
  const sent = first.received('edit').at(-1)?.bytes.toString('latin1') ?? '';
  expect(sent.match(/name="image\[\]"/g)).toHaveLength(2);
  expect(sent).toMatch(/name="mask"/);
  expect(sent).toMatch(/name="quality"\r\n\r\nhigh\r\n/);
  expect(sent).toMatch(/name="output_format"\r\n\r\nwebp\r\n/);
});

test('the openai client has a recording written down, as JSON, as text and as captions', async () => {
  const file = async () => await toFile(wavOf(2), 'speech.wav', { type: 'audio/wav' });
  const { transcriptions } = world.client.audio;
  const answer: any = await transcriptions.create({
    model: 'auto',
    file: await file(),
    language: 'en',
    temperature: 0.5,
  });
  expect(answer).toMatchObject({ text: 'Good evening.', usage: { type: 'duration', seconds: 2 } });
  expect(answer.run).toMatchObject({ provider: 'first', model: 'scribe-1', cost_usd: 0.01 });
  expect(first.received('transcribe').at(-1)?.bytes.toString('latin1')).toMatch(/name="temperature"\r\n\r\n0.5\r\n/);
  const text = await transcriptions.create({ model: 'auto', file: await file(), response_format: 'text' });
  expect(text).toBe('Good evening.');
  const captions = '1\n00:00:00,000 --> 00:00:02,000\nGood evening.\n';
  first.follow({ transcribe: [answersBytes('text/plain; charset=utf-8', Buffer.from(captions))] });
  const told = await transcriptions.create({ model: 'auto', file: await file(), response_format: 'srt' });
  expect(told).toBe(captions);
  expect(first.received('transcribe').at(-1)?.bytes.toString('latin1')).toMatch(
    /name="response_format"\r\n\r\nsrt\r\n/,
  );
  const none = { model: 'auto', file: new File([Buffer.from('RIFF')], 'a.wav') };
  await expect(transcriptions.create(none)).rejects.toMatchObject({ status: 400, param: 'file' });
});

test('speech is requested in the wanted format', async () => {
  const answer = await world.client.audio.speech.create({
    model: 'voice-1',
    voice: 'nova',
    input: 'Good evening',
    response_format: 'mp3',
    speed: 1.5,
  });
  // the vendor gives a WAV whatever it is asked for
  expect(answer.headers.get('content-type')).toBe('audio/mpeg');
  expect(first.received('speech').at(-1)?.body).toMatchObject({ voice: 'nova', response_format: 'mp3', speed: 1.5 });
});

test('another provider is called after the first fails, unless the body forbids it', async () => {
  first.follow({ generate: [away] });
  const asked = { prompt: 'a boat', routing: { ...outside, policy: 'quality_first' } };
  const made = await world.post('/images/generate', asked);
  expect(made).toMatchObject({ status: 200, body: { run: { provider: 'second', cost_usd: 0.05 }, size: '32x32' } });
  expect(made.headers.get('x-provider')).toBe('second');
  const alone = await world.post('/images/generate', { ...asked, routing: { ...asked.routing, fallback: false } });
  const job = await readJob(world.context, alone.body.job.id);
  expect(job?.payload).toMatchObject({ route: [{ provider: 'first', quoted: 20_000 }] });
});

test('who may cost too much is left out, with the reason', async () => {
  const routing = { ...outside, providers: ['second'], max_cost_usd: 0.04 };
  const { status, body } = await world.post('/images/generate', { prompt: 'a boat', routing });
  expect({ status, providers: body.details.providers }).toEqual({
    status: 503,
    providers: [
      { provider: 'local-animatic', reason: 'it is not among routing.providers' },
      { provider: 'first', reason: 'it is not among routing.providers' },
      { provider: 'second', reason: 'it is quoted at 0.05 dollars, and routing.max_cost_usd is 0.04' },
    ],
  });
});

test('two identical forms at once under one key are one job, and one call of the provider', async () => {
  const before = first.received('edit').length;
  const send = async () => {
    const form = new FormData();
    form.append('prompt', 'make it day');
    form.append('image', new Blob([new Uint8Array(pngOf(16, 16))]), 'one.png');
    const headers = { ...world.headers, 'idempotency-key': 'a-form' };
    const response = await fetch(`${world.url}/api/v2/images/edits`, { method: 'POST', headers, body: form });
    return (await response.json()) as any;
  };
  const [one, two] = await Promise.all([send(), send()]);
  expect(one.job.id).toBe(two.job.id);
  expect(first.received('edit').length - before).toBe(1);
});

test('a provider’s refusal is reported as it is, and the provider called once', async () => {
  first.follow({ edit: [refuses] });
  const image = `data:image/png;base64,${pngOf().toString('base64')}`;
  const { status, headers, body } = await world.post('/images/edit', { prompt: 'make it night', image });
  expect({ status, body }).toMatchObject({ status: 422, body: { code: 'provider_refused' } });
  expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'provider_refused' });
  expect(headers.get('x-should-retry')).toBe('false');
});
