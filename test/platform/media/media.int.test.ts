import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMediaFile } from '#src/providers/http/media-file.ts';
import { mediaWorld } from '#test/platform/media-world.ts';

let world: Awaited<ReturnType<typeof mediaWorld>>;
beforeAll(async () => {
  world = await mediaWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** What an address of an asset gives to anybody, by its bytes. */
const fetched = async (address: string) => {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${world.url}${pathname}${search}`);
  return readMediaFile(new Uint8Array(await response.arrayBuffer()));
};

test('the openai client gets pictures with their bytes and addresses, made here for nothing', async () => {
  const made: any = await world.client.images.generate({
    model: 'auto',
    prompt: 'a lighthouse',
    n: 2,
    size: '128x128',
  });
  expect(made).toMatchObject({ size: '128x128', output_format: 'png', audit_receipt: null });
  expect(made.job).toMatchObject({ state: 'succeeded', queue: 'providers.generate' });
  expect(made.run).toEqual({ id: made.job.id, provider: 'local-animatic', model: 'storyboard-frame', cost_usd: 0 });
  expect(made.data).toHaveLength(2);
  for (const { b64_json: base64, url } of made.data) {
    const picture = { kind: 'image', mediaType: 'image/png', width: 128, height: 128 };
    expect(readMediaFile(Buffer.from(base64, 'base64'))).toEqual(picture);
    expect(await fetched(url)).toEqual(picture);
  }
  const { body } = await world.post('/images/generate', {
    prompt: 'a lighthouse',
    size: '128x128',
    response_format: 'url',
  });
  expect(Object.keys(body.data[0]).toSorted()).toEqual(['asset', 'url']);
});

test('the openai client gets speech as bytes of the type that they are', async () => {
  const answer = await world.client.audio.speech.create({ model: 'auto', voice: 'alloy', input: 'Good evening' });
  expect(answer.headers.get('content-type')).toBe('audio/wav');
  expect(answer.headers.get('x-provider')).toBe('local-animatic');
  expect(readMediaFile(new Uint8Array(await answer.arrayBuffer()))).toMatchObject({ kind: 'audio' });
});

test('music is made from words and from sections', async () => {
  const one = await world.post('/music/generate', { prompt: 'waves', seconds: 1 });
  expect(one).toMatchObject({ status: 200, body: { data: [{ kind: 'audio', media_type: 'audio/wav' }] } });
  const sections = [
    { prompt: 'calm', seconds: 1 },
    { prompt: 'storm', seconds: 0.5 },
  ];
  const { body } = await world.post('/music/compose', { sections });
  expect(body.data[0].duration).toBeCloseTo(1.5, 1);
  expect(await fetched(body.data[0].url)).toMatchObject({ kind: 'audio' });
});

test('films are made from words, from a picture, and of a persona who speaks', async () => {
  const size = '256x144';
  const { body: words } = await world.post('/videos/generate', { prompt: 'a harbour', seconds: 1, size });
  expect(words.data[0]).toMatchObject({ kind: 'video', width: 256, height: 144 });
  const { body: picture } = await world.post('/images/generate', { prompt: 'a boat', size: '128x128' });
  const { body: started } = await world.post('/videos/from-image', {
    image: picture.data[0].asset.id,
    seconds: 1,
    size,
  });
  expect(started.data[0]).toMatchObject({ kind: 'video' });
  const spoken = await world.post('/personas/narrator/video', { input: 'Hello.', size });
  expect(spoken).toMatchObject({ status: 200, body: { run: { model: 'speaker-card' } } });
  expect(await fetched(spoken.body.data[0].url)).toMatchObject({ kind: 'video' });
  expect(await world.post('/personas/nobody/video', { input: 'Hello.' })).toMatchObject({ status: 404 });
});

test('a picture is made larger, from a form as from an address in the body', async () => {
  const { body } = await world.post('/images/generate', { prompt: 'a boat', size: '64x64' });
  const image = `data:image/png;base64,${body.data[0].b64_json}`;
  const larger = await world.post('/images/upscale', { image, resolution: 128 });
  expect(larger).toMatchObject({ status: 200, body: { size: '128x128' } });
  const form = new FormData();
  form.append('image', new Blob([Buffer.from(body.data[0].b64_json, 'base64')]), 'boat.png');
  form.append('resolution', '96');
  const response = await fetch(`${world.url}/api/v2/images/upscale`, {
    method: 'POST',
    headers: world.headers,
    body: form,
  });
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 200,
    body: { size: '96x96' },
  });
});

test('who does not want to wait gets the job, and the same job for the same key', async () => {
  const more = { prefer: 'respond-async', 'idempotency-key': 'one-picture' };
  const first = await world.post('/images/generate', { prompt: 'a boat', size: '64x64' }, more);
  expect(first.status).toBe(202);
  const { job, run, audit_receipt: receipt } = first.body;
  expect(first.headers.get('location')).toBe(`/v1/jobs/${job.id}`);
  expect({ run, receipt }).toEqual({ run: { id: job.id, provider: null, model: null, cost_usd: null }, receipt: null });
  const again = await world.post(
    '/images/generate',
    { prompt: 'a boat', size: '64x64' },
    { 'idempotency-key': 'one-picture' },
  );
  expect(again).toMatchObject({
    status: 200,
    body: { job: { id: job.id, kind: 'job', state: 'succeeded', status: 'succeeded', url: job.links.self } },
  });
  const other = await world.post(
    '/images/generate',
    { prompt: 'another', size: '64x64' },
    { 'idempotency-key': 'one-picture' },
  );
  expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
});

test('where no provider can, each provider’s reason is reported', async () => {
  const form = { model: 'auto', file: new File([Buffer.from('RIFF')], 'a.wav') };
  // a recording that is none: it is looked at only where somebody can be asked
  await expect(world.client.audio.transcriptions.create(form)).rejects.toMatchObject({ status: 503 });
  const { body: spoken } = await world.post('/music/generate', { prompt: 'waves', seconds: 1 });
  const refused = await world.post('/audio/transcriptions', { file: spoken.data[0].id });
  expect(refused).toMatchObject({
    status: 503,
    body: {
      title: 'Provider Unavailable',
      code: 'providers_exhausted',
      details: { providers: [{ provider: 'local-animatic', reason: 'it does not offer audio.transcribe' }] },
      error: { type: 'api_error', code: 'providers_exhausted' },
    },
  });
  const routing = { exclude: ['local-animatic'] };
  const excluded = await world.post('/images/generate', { prompt: 'a boat', routing });
  expect(excluded.body.details.providers).toEqual([{ provider: 'local-animatic', reason: 'routing.exclude names it' }]);
  const unknown = await world.post('/images/generate', { prompt: 'a boat', model: 'gpt-image-1' });
  expect(unknown).toMatchObject({ status: 400, body: { error: { param: 'model' } } });
});
