import fc from 'fast-check';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { testHome } from '#test/providers/asset-world.ts';
import { offer, provider } from '#test/providers/offers.ts';
import { catalogueFile } from '#test/studio/catalogue-file.ts';
import { type Document, type Route, routesOf } from '#test/studio/fuzz/document.ts';
import { type Known, type Shot, shots } from '#test/studio/fuzz/requests.ts';
import { type Answer, describedAnswers } from './described-answers.ts';
import { mediaWorld } from './media-world.ts';

/*
 * Every answer of the platform is what its document says. `FUZZ_REQUESTS` says how many requests are made from the
 * document, `PROPERTY_SEED` which; what fails says its seed.
 */
const count = Number(process.env['FUZZ_REQUESTS'] ?? 1_000);
const seed = fc.readConfigureGlobal().seed ?? Date.now();

let stack: AsyncDisposableStack;
let mine: Readonly<Record<string, string>>;
let world: Awaited<ReturnType<typeof mediaWorld>>;
let routes: readonly Route[];
let misfits: ReturnType<typeof describedAnswers>;
const succeeded = new Set<string>();

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const home = stack.use(await testHome());
  const vendor = stack.use(await startOpenaiLike());
  const capabilities = Object.fromEntries(
    (['text.generate', 'image.edit', 'audio.transcribe'] as const).map((name) => [name, offer()]),
  );
  const { path } = stack.use(
    catalogueFile([provider({ id: 'vendor', style: 'openai-compatible', url: vendor.url, capabilities })]),
  );
  const limits = { RATE_STANDARD_PER_MINUTE: '100000000', RATE_STANDARD_PER_DAY: '10000000000' };
  world = stack.use(await mediaWorld({ PROOFLINE_HOME: home.path, PROVIDERS_FILE: path, ...limits }));
  await world.context.db.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
    values (${sql.binary(Buffer.alloc(32, 1))}, ${sql.binary(Buffer.alloc(32, 2))}, 'operator-invite', 'enrolled', '{}', 'standard')`);
  mine = (await world.key({ owner: 'ada', human: Buffer.alloc(32, 1).toString('hex') })).headers;
  const document = (await (await fetch(`${world.url}/api/openapi.json`)).json()) as Document;
  misfits = describedAnswers(document);
  routes = routesOf(inlineRefs(document));
});
afterAll(async () => await stack.disposeAsync());

interface Asked {
  readonly body?: object | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Has an operation answer, with `id` in its path; checks the answer and gives its body. */
async function ask(operationId: string, id = '', { body, headers = {}, query = '' }: Asked = {}): Promise<any> {
  const route = routes.find(({ operation }) => operation.operationId === operationId);
  if (!route) throw new Error(`expected an operation of the document, got ${operationId}`);
  const isForm = body instanceof FormData;
  const response = await fetch(`${world.url}${route.path.replace(/\{\w+\}/, id)}${query}`, {
    method: route.method,
    headers: { ...mine, ...(body && !isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: Buffer.from(await response.arrayBuffer()),
    ...(body && !isForm && { sent: body }),
  };
  const shown = answer.bytes.toString().slice(0, 300);
  expect([operationId, misfits(route, answer)], shown).toEqual([operationId, []]);
  expect([operationId, answer.status < 400], shown).toEqual([operationId, true]);
  succeeded.add(`${operationId} ${answer.status} ${String(answer.headers['content-type']).split(';')[0]}`);
  return /json/.test(String(answer.headers['content-type'])) ? JSON.parse(answer.bytes.toString()) : null;
}

const form = (fields: Readonly<Record<string, string | Blob>>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, 'file');
  return data;
};
const picture = () => new Blob([new Uint8Array(pngOf(64, 64))], { type: 'image/png' });
const sound = () => new Blob([new Uint8Array(wavOf())], { type: 'audio/wav' });
const messages = [{ role: 'user', content: 'What is at the end of the pier?' }];
const small = { seconds: 1, size: '256x144' };
const later = { headers: { prefer: 'respond-async' } };

test('requests as documented are answered as documented, at every operation', {
  timeout: 240_000,
}, async () => {
  const open = ['readContract', 'readPlatformHealth', 'readIntegrations', 'listPlatformCapabilities', 'listFamilies'];
  for (const name of [...open, 'listProviders', 'listModels', 'listPersonas']) await ask(name);
  await ask('readPlatformCapability', 'text.generate');
  await ask('readModel', 'auto');
  for (const name of ['readMissionContracts', 'listGovernanceReceipts', 'listGovernanceApprovals']) await ask(name);

  await ask('createChatCompletion', '', { body: { messages } });
  await ask('createChatCompletion', '', { body: { messages, stream: true, stream_options: { include_usage: true } } });
  const response = await ask('createResponse', '', { body: { input: 'What is at the end of the pier?' } });
  await ask('createResponse', '', { body: { input: 'And behind it?', stream: true } });
  const background = await ask('createResponse', '', { body: { input: 'And under it?', background: true } });
  await ask('readResponse', response.id);
  await ask('readResponse', background.id, { query: '?stream=true' });
  await ask('listInputItems', response.id);
  const stopped = await ask('createResponse', '', { body: { input: 'And above it?', background: true } });
  await ask('cancelResponse', stopped.id);
  await ask('deleteResponse', response.id);

  await ask('createSpeech', '', { body: { input: 'Good evening.', response_format: 'wav' } });
  await ask('createTranscription', '', { body: form({ file: sound(), response_format: 'json' }) });
  await ask('createTranscription', '', { body: form({ file: sound(), response_format: 'text' }) });
  for (const name of ['generateImages', 'generateImagesAlias'])
    await ask(name, '', { body: { prompt: 'a lighthouse', size: '64x64' } });
  for (const name of ['editImages', 'editImagesAlias'])
    await ask(name, '', { body: form({ image: picture(), prompt: 'at night' }) });
  await ask('upscaleImage', '', { body: form({ image: picture(), resolution: '128' }) });
  await ask('generateVideo', '', { body: { prompt: 'a harbour', ...small } });
  await ask('generateVideoFromImage', '', { body: form({ image: picture(), seconds: '1', size: '256x144' }) });
  await ask('generatePersonaVideo', 'narrator', { body: { input: 'Good evening.', size: '256x144' } });
  await ask('generateMusic', '', { body: { prompt: 'waves', seconds: 3 } });
  const waits = await ask('composeMusic', '', { body: { sections: [{ prompt: 'waves', seconds: 3 }] }, ...later });
  await ask('readJob', waits.job.id);

  const film = await ask('createVideo', '', { body: { prompt: 'a harbour', seconds: '1', size: '256x144' } });
  await ask('listVideos');
  await expect.poll(async () => (await ask('readVideo', film.id)).status, { timeout: 50_000 }).toBe('completed');
  await ask('readVideoContent', film.id);
  await ask('deleteVideo', film.id);

  const lines = `${JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/images/generations', body: { prompt: 'x' } })}\n`;
  const file = await ask('createFile', '', { body: form({ file: new Blob([lines]), purpose: 'batch' }) });
  await ask('listFiles');
  await ask('readFile', file.id);
  await ask('readFileContent', file.id);
  await ask('readFileContent', file.id, { headers: { range: 'bytes=0-3' } });
  const batch = await ask('createBatch', '', { body: { input_file_id: file.id } });
  await ask('readBatch', batch.id);
  await ask('cancelBatch', batch.id);
  const endpoint = '/v1/images/generations';
  const other = await ask('createBatchOpenAi', '', {
    body: { input_file_id: file.id, endpoint, completion_window: '24h' },
  });
  await ask('listBatches');
  await ask('readBatchOpenAi', other.id);
  await ask('cancelBatchOpenAi', other.id);
  await ask('deleteFile', file.id);

  // a name that leads to a private address, which is found out when it is called
  const webhook = { url: 'https://localhost:9/' };
  await ask('generateImages', '', { body: { prompt: 'a boat', size: '64x64', webhook } });
  const delivery = async () => (await ask('listWebhookDeliveries')).data[0];
  await expect.poll(async () => (await delivery())?.state, { timeout: 50_000 }).toBe('failed');
  await ask('replayWebhookDelivery', (await delivery()).id);
  const long = await ask('generateVideo', '', { body: { prompt: 'a harbour', seconds: 60 }, ...later });
  await ask('cancelJob', long.job.id);
  await ask('runOrchestration', '', { body: { query: 'Hash "hello"', plan_only: true } });

  const missing = routes.filter(
    ({ operation }) => ![...succeeded].some((one) => one.startsWith(`${operation.operationId} `)),
  );
  expect(missing.map(({ operation }) => operation.operationId)).toEqual([]);
});

/** What a request made from the document is answered. */
async function send({ route, caller, url, headers, payload }: Shot): Promise<Answer> {
  const unknown = { authorization: `Bearer sk-platform-${'0'.repeat(49)}` };
  const own = { nobody: {}, unknown }[caller as string] ?? mine;
  const answer = await world.app.inject({
    method: route.method,
    url,
    headers: { prefer: 'wait=0', ...headers, ...own },
    ...(payload !== undefined && { payload }),
  });
  const { statusCode: status, headers: told, rawPayload: bytes } = answer;
  const isTaken = status < 400 && payload !== undefined && route.body !== null;
  return { status, headers: told, bytes, ...(isTaken && { sent: JSON.parse(payload) }) };
}

const known: Known = {
  id: ['0198c0de-0000-7000-8000-000000000001', 'auto', 'narrator', 'text.generate', 'resp_1', 'file-1'],
  model: ['auto', 'vendor/model-1', 'model-1', 'nobody'],
  prompt: ['a lighthouse', ' ', 'a'.repeat(5_000)],
  input: ['Good evening.', '', 'שלום 🌊'],
  content: ['What is at the end of the pier?'],
  role: ['user', 'assistant', 'tool', 'nobody'],
  size: ['64x64', '1x1', '99999x1', 'large'],
  url: ['https://receiver.example/hook', 'http://127.0.0.1/', 'file:///etc/passwd'],
  image: ['data:image/png;base64,AAAA', 'https://127.0.0.1/a.png', 'asset-1'],
};

test(`${count} requests made from the document, within its bounds and beyond, are answered as it says`, {
  timeout: 60_000 + count * 60,
}, async () => {
  const wrong = new Map<string, string>();
  const statuses = new Map<number, number>();
  for (const shot of fc.sample(shots(routes, known), { numRuns: count, seed })) {
    const answer = await send(shot);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    for (const problem of misfits(shot.route, answer)) {
      const { route, caller, url, headers, payload } = shot;
      const asked = JSON.stringify({ caller, method: route.method, url, headers, payload }).slice(0, 1_000);
      const name = `${route.operation.operationId} ${answer.status} ${problem.slice(0, 60)}`;
      wrong.getOrInsert(name, `${route.operation.operationId}: ${problem}\n    ${asked}`);
    }
  }
  expect([...wrong.values()], `PROPERTY_SEED=${seed} FUZZ_REQUESTS=${count}`).toEqual([]);
  // some were let in, some refused for what they ask, and some for who asks
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
});
