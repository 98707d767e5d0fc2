import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { mediaCapabilities } from '#queues/providers.ts';
import { batchWorks } from '#src/platform/batches/batch-works.ts';
import { runJobs } from '#test/helpers/run-jobs.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { batchWorld, request } from '#test/platform/batch-world.ts';
import { handlers } from '#test/platform/line-handlers.ts';
import { platformWorld } from '#test/platform/platform-client.ts';
import { textVendors } from '#test/platform/text-world.ts';
import { offer, provider } from '#test/providers/offers.ts';

const png = `data:image/png;base64,${pngOf().toString('base64')}`;
const wav = `data:audio/wav;base64,${wavOf().toString('base64')}`;

/** A line of every work that a batch may name, by the path of the work. */
const bodies: Readonly<Record<string, { readonly url?: string; readonly body: object; readonly answer: object }>> = {
  '/chat/completions': {
    body: { messages: [{ role: 'user', content: 'Say it.' }] },
    answer: { object: 'chat.completion' },
  },
  '/responses': { body: { input: 'Say it.' }, answer: { object: 'response', status: 'completed' } },
  '/videos': { body: { prompt: 'a wave' }, answer: { object: 'video', status: 'completed', prompt: 'a wave' } },
  '/audio/speech': { body: { input: 'Good evening' }, answer: { data: [{ kind: 'audio' }] } },
  '/audio/transcriptions': { body: { file: wav }, answer: { text: 'What was said.' } },
  '/images/generate': { body: { prompt: 'a pier' }, answer: { data: [{ asset: { kind: 'image' } }] } },
  '/images/edit': {
    body: { prompt: 'at night', image: [png, png], mask: png },
    answer: { data: [{ asset: { kind: 'image' } }] },
  },
  '/images/upscale': { body: { image: png }, answer: { data: [{ asset: { kind: 'image' } }] } },
  '/videos/generate': { body: { prompt: 'a wave' }, answer: { data: [{ kind: 'video' }] } },
  '/videos/from-image': { body: { image: png }, answer: { data: [{ kind: 'video' }] } },
  '/personas/{id}/video': {
    url: '/personas/narrator/video',
    body: { input: 'Good evening' },
    answer: { data: [{ kind: 'video' }] },
  },
  '/music/generate': { body: { prompt: 'calm' }, answer: { data: [{ kind: 'audio' }] } },
  '/music/compose': { body: { sections: [{ prompt: 'calm', seconds: 3 }] }, answer: { data: [{ kind: 'audio' }] } },
};

test('a line can ask for every work that a batch knows, and is answered as the work', async () => {
  await using stack = new AsyncDisposableStack();
  const { env } = stack.use(await textVendors([{}]));
  const many = Object.fromEntries(
    mediaCapabilities
      .filter((name) => name !== 'text.generate')
      .map((name) => [name, offer({ price: { perCall: 0 } })]),
  );
  const { providers } = JSON.parse(readFileSync(env['PROVIDERS_FILE']!, 'utf8'));
  writeFileSync(
    env['PROVIDERS_FILE']!,
    JSON.stringify({ providers: [...providers, provider({ id: 'many', capabilities: many })] }),
  );
  const world = stack.use(await platformWorld(env));
  const { context } = world.api;
  const module = new URL('../line-handlers.ts', import.meta.url);
  stack.use(await runJobs(context, { name: 'platform', handlers, module }));
  const client = await world.client();

  expect(Object.keys(bodies).toSorted()).toEqual(batchWorks.map(({ path }) => path).toSorted());
  const requests = Object.entries(bodies).map(([path, { url = path, body }]) => ({
    custom_id: path,
    method: 'POST',
    url: `/v1${url}`,
    body,
  }));
  const begun = await client.post<{ id: string }>('/batch', { body: { requests } });
  await expect
    .poll(async () => (await client.batches.retrieve(begun.id)).status, { timeout: 60_000 })
    .toBe('completed');
  const done = await client.batches.retrieve(begun.id);
  const linesOf = async (id: string) =>
    (await (await client.files.content(id)).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(done.error_file_id === null ? [] : await linesOf(done.error_file_id!)).toEqual([]);
  const answers = await linesOf(done.output_file_id!);
  const byId = Object.fromEntries(answers.map(({ custom_id: id, response }) => [id, response.body]));
  for (const [path, { answer }] of Object.entries(bodies)) expect(byId[path], path).toMatchObject(answer);
  // a film of a batch is one of the owner's films
  expect(await client.videos.retrieve(byId['/videos'].id)).toMatchObject({ status: 'completed', prompt: 'a wave' });
});

test('a body that is nested too deep is refused in a sentence, in a batch as a line', async () => {
  await using world = await batchWorld();
  const { client, start, ended, results } = world;
  const parameters = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
  const tools = [{ type: 'function', function: { name: 'f', parameters } }];
  const sentence = expect.stringContaining('expected JSON of at most 100 levels');
  const refused = { status: 400, error: { message: sentence } };
  const chat = { messages: [{ role: 'user', content: 'x' }], tools };
  await expect(client.post('/chat/completions', { body: chat })).rejects.toMatchObject(refused);
  await expect(
    client.post('/responses', { body: { input: 'x', tools: [{ type: 'function', name: 'f', parameters }] } }),
  ).rejects.toMatchObject(refused);
  const line = { custom_id: 'deep', method: 'POST', url: '/v1/chat/completions', body: chat };
  await expect(
    client.post('/batch', { body: { requests: [line] }, headers: { 'idempotency-key': 'k' } }),
  ).rejects.toMatchObject(refused);
  const begun = await start([request('a', 'cheap'), line, request('b', 'cheap')], { endpoint: undefined });
  const last = await ended(begun.id);
  expect(last).toMatchObject({ status: 'completed', request_counts: { completed: 2, failed: 1 } });
  const { failures } = await results(last);
  expect(failures).toMatchObject([
    { custom_id: 'deep', response: { status_code: 400, body: { error: { message: sentence } } } },
  ]);
  expect((await world.jobOf(begun)).attempt).toBe(1);
});

test('an unexpected error at one line ends that line alone', async () => {
  await using world = await batchWorld({ BATCH_CONCURRENCY: '1' });
  await world.context.db.query(sql.unsafe`
    create function refuse_cursed() returns trigger language plpgsql as $$
      begin
        if new.payload::text like '%cursed%' then raise exception 'nobody expected this'; end if;
        return new;
      end $$`);
  await world.context.db.query(sql.unsafe`
    create trigger cursed before insert on jobs for each row execute function refuse_cursed()`);
  const begun = await world.start([request('a', 'cheap'), request('b', 'cursed'), request('c', 'cheap')]);
  const last = await world.ended(begun.id);
  expect(last).toMatchObject({ status: 'completed', request_counts: { completed: 2, failed: 1 } });
  const { failures } = await world.results(last);
  expect(failures).toMatchObject([{ custom_id: 'b', response: { status_code: 500, body: { code: 'internal' } } }]);
  expect(JSON.stringify(failures)).not.toContain('nobody expected');
  expect((await world.jobOf(begun)).attempt).toBe(1);
});

test('a batch that failed for good leaves the files of the lines that are over', async () => {
  await using world = await batchWorld();
  const { context, until, ended, results } = world;
  const begun = await world.start([request('a', 'cheap'), request('b', 'refuse'), request('c', 'wait')]);
  await until(begun.id, ({ request_counts: counts }) => counts?.completed === 1 && counts.failed === 1);
  const { id } = await world.jobOf(begun);
  await context.db.query(sql.unsafe`
    update jobs set state = 'failed', finished_at = now(), worker_id = null,
      error = '{"code": "internal", "message": "Too often."}'::jsonb
    where id = ${id}`);
  const last = await ended(begun.id);
  expect(last).toMatchObject({ status: 'failed', errors: { data: [{ message: 'Too often.' }] } });
  const { answers, failures } = await results(last);
  expect(answers.map(({ custom_id: one }) => one)).toEqual(['a']);
  expect(failures.map(({ custom_id: one }) => one)).toContain('b');
});
