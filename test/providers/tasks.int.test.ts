import { expect, test } from 'vitest';
import { startFalLike } from '#test/helpers/vendors/fal-like.ts';
import { mp4Of, pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { startReplicateLike } from '#test/helpers/vendors/replicate-like.ts';
import { callOf, KEY } from './calls.ts';
import { at, generate, inputs, PICTURE, PUBLIC_URL, SECOND, twoContexts } from './tasks.ts';

const { open, closed } = twoContexts();

test('a prediction is created without waiting, looked at until it is over, and its files are fetched', async () => {
  await using server = await startReplicateLike({ fileBytes: mp4Of(4), output: (base) => `${base}/files/film.mp4` });
  const stages: string[] = [];
  const call = callOf(open(), {
    provider: at('replicate-style', server.url, 'video.from-image', {
      parameters: { fps: 24 },
      fields: { seconds: 'length', resolution: 'height', language: null },
    }),
    capability: 'video.from-image',
    inputs,
    request: {
      prompt: 'waves',
      aspect: '16:9',
      seconds: 4,
      resolution: 720,
      language: 'de',
      inputs: { images: [PICTURE, SECOND] },
      options: { fps: 60, seed: 7 },
    },
    progress: (stage) => stages.push(stage),
  });
  const made = await generate(call);
  expect(made.produced).toMatchObject([
    { name: 'video', mediaType: 'video/mp4', duration: 4, width: 1_280, height: 720 },
  ]);
  expect(made.externalId).toBe(server.predictions()[0]?.id);
  expect(stages).toEqual(['generating', 'fetching']);
  const [create, get] = server.received();
  const link = (id: string) => `https://studio.example/v1/artefacts/${id}?signature=s`;
  expect(create).toMatchObject({
    path: '/models/maker/flux/predictions',
    headers: { authorization: `Bearer ${KEY}`, prefer: 'respond-async', 'idempotency-key': call.key },
    body: {
      input: {
        prompt: 'waves',
        aspect_ratio: '16:9',
        length: 4,
        height: 720,
        fps: 24,
        seed: 7,
        image: link(PICTURE),
        images: [link(PICTURE), link(SECOND)],
      },
      webhook_events_filter: ['start', 'completed'],
    },
  });
  expect(create?.body.input).not.toHaveProperty('language');
  expect(create?.body.webhook).toMatch(
    new RegExp(`^${PUBLIC_URL}/v1/providers/one/webhook/${call.key.slice(0, 36)}\\?token=.{43}$`),
  );
  expect(get?.headers['prefer']).toBe('wait=20');
});

test('a version of a model is named in the body, and without an address of ours inputs go along and no report comes', async () => {
  await using server = await startReplicateLike();
  const offered = { model: 'maker/flux:0123abcd', price: { perImage: 0.03 } };
  const request = { prompt: 'waves', inputs: { images: [PICTURE] } };
  const made = await generate(
    callOf(closed(), {
      provider: at('replicate-style', server.url, 'image.edit', offered),
      capability: 'image.edit',
      request,
      inputs,
    }),
  );
  expect(made).toMatchObject({ billed: 30_000, produced: [{ name: 'image', width: 8 }] });
  const [create] = server.received('create');
  expect(create?.path).toBe('/predictions');
  expect(create?.body).toEqual({
    version: 'maker/flux:0123abcd',
    input: { prompt: 'waves', image: `data:image/png;base64,${pngOf().toString('base64')}` },
  });
});

test('a request is queued, looked at under its app, and its result read', async () => {
  await using server = await startFalLike({
    fileBytes: wavOf(3),
    fileType: 'audio/wav',
    output: (base) => ({ audio: { url: `${base}/files/a.wav` } }),
  });
  const stages: string[] = [];
  const call = callOf(open(), {
    provider: at('fal-style', server.url, 'music.generate'),
    capability: 'music.generate',
    request: { prompt: 'calm', seconds: 3 },
    progress: (stage) => stages.push(stage),
  });
  const made = await generate(call);
  expect(made.produced).toMatchObject([{ name: 'audio', mediaType: 'audio/wav', duration: 3 }]);
  expect(stages).toEqual(['generating', 'fetching']);
  const [submit, status] = server.received();
  expect(submit).toMatchObject({ headers: { authorization: `Key ${KEY}` }, body: { prompt: 'calm', duration: 3 } });
  expect(submit?.path).toMatch(
    /^\/fal-ai\/flux\/dev\?fal_webhook=https%3A%2F%2Fstudio\.example%2Fv1%2Fproviders%2Fone%2Fwebhook%2F/,
  );
  expect(status?.path).toBe(`/fal-ai/flux/requests/${made.externalId}/status`);
});

test.each([
  ['text in pieces', ['At ', 'dusk', '.'], 'At dusk.'],
  ['text in a member', { text: 'At dusk.', chunks: [] }, 'At dusk.'],
])('%s is a text', async (_what, output, text) => {
  await using server = await startReplicateLike({ output: () => output });
  const made = await generate(
    callOf(closed(), { provider: at('replicate-style', server.url, 'text.generate'), capability: 'text.generate' }),
  );
  expect(made).toMatchObject({ text, produced: [] });
});
