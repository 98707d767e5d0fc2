import type OpenAI from 'openai';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { jobOfResponse } from '#src/platform/responses/model/ids.ts';
import { openDirect } from '#src/system/postgres/direct-postgres.ts';
import { refuses } from '#test/helpers/vendors/vendor-server.ts';
import { openSpeech, speaks } from '#test/platform/responses/speech.ts';
import { responsesWorld } from '#test/platform/responses/world.ts';

type Event = OpenAI.Responses.ResponseStreamEvent;

let world: Awaited<ReturnType<typeof responsesWorld>>;
let client: Awaited<ReturnType<typeof world.client>>;
beforeAll(async () => {
  world = await responsesWorld();
  client = await world.client();
}, 120_000);
afterAll(async () => await world[Symbol.asyncDispose]());

const jobOf = (id: string) => jobOfResponse(id) ?? '';
const background = { input: 'Greet me', background: true } as const;
/** A response once it has this status. */
const until = async (id: string, status: string) =>
  await expect.poll(async () => (await client.responses.retrieve(id)).status, { timeout: 30_000 }).toBe(status);

const follow = async (id: string, after = -1) =>
  await client.responses.retrieve(id, { stream: true, ...(after >= 0 && { starting_after: after }) });

test('a background response is queued, at work, and done; several clients follow it, from any place, and read it again', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  const made = await client.responses.create(background);
  expect(made).toMatchObject({ status: 'queued', background: true, output: [] });
  await speech.begun;
  await until(made.id, 'in_progress');
  const seen: Event[] = [];
  speech.say('Good ');
  for await (const event of await follow(made.id)) {
    seen.push(event);
    if (event.type === 'response.output_text.delta' && event.delta === 'Good ') {
      speech.say('evening');
      speech.finish();
    }
  }
  expect(seen.map(({ sequence_number: n }) => n)).toEqual(seen.map((_event, index) => index));
  expect(seen.map(({ type }) => type.replace('response.', ''))).toEqual([
    'created',
    'queued',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ]);
  const done = await client.responses.retrieve(made.id);
  expect(done).toMatchObject({ status: 'completed', output_text: 'Good evening', model: 'atlas-2' });
  expect(await Array.fromAsync(await follow(made.id, 4))).toEqual(seen.slice(5));
  expect(await Array.fromAsync(await follow(made.id, 10))).toEqual([]);
  const helped = client.responses.stream({ response_id: made.id, starting_after: 4 });
  expect(await helped.finalResponse()).toMatchObject({ output_text: 'Good evening' });
  // what was said stands with the response alone
  const job = await world.context.db.one(sql.unsafe`select payload, result from jobs where id = ${jobOf(made.id)}`);
  expect(JSON.stringify(job)).not.toMatch(/Greet|Good/);
});

test('a response in the background may be followed from its request on; who leaves ends nothing', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  speech.say('Good ');
  let id = '';
  for await (const event of await client.responses.create({ ...background, stream: true })) {
    if (event.type === 'response.created') id = event.response.id;
    if (event.type === 'response.output_text.delta') break;
  }
  speech.say('evening');
  speech.finish();
  await until(id, 'completed');
  expect(await client.responses.retrieve(id)).toMatchObject({ output_text: 'Good evening' });
});

test('a response that is cancelled is so at once, with what had come, and its stream says so', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  speech.say('Good ');
  const { id } = await client.responses.create(background);
  const seen: Event[] = [];
  for await (const event of await follow(id)) {
    seen.push(event);
    if (event.type !== 'response.output_text.delta') continue;
    const output = [{ status: 'incomplete', content: [{ text: 'Good ' }] }];
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled', output });
  }
  expect(seen.at(-1)).toMatchObject({ type: 'response.incomplete', response: { id, status: 'cancelled' } });
  expect(await Array.fromAsync(await follow(id))).toEqual(seen);
  await speech.left;
  expect(await client.responses.cancel(id)).toMatchObject({ status: 'cancelled' });
});

test('a worker that dies in the middle leaves a response that has failed, and no call is made twice', async () => {
  await using quiet = await responsesWorld({}, { fleet: false });
  const own = await quiet.client();
  const speech = openSpeech();
  quiet.upstream.follow({ chat: [speech.turn] });
  speech.say('Good ');
  const first = await quiet.fleetProcess();
  const { id } = await own.responses.create(background);
  const seen: Event[] = [];
  for await (const event of await own.responses.retrieve(id, { stream: true })) {
    seen.push(event);
    if (event.type !== 'response.output_text.delta') continue;
    first.kill('SIGKILL');
    await quiet.fleetProcess();
  }
  expect(seen.map(({ sequence_number: n }) => n)).toEqual(seen.map((_event, index) => index));
  expect(seen.at(-1)).toMatchObject({
    type: 'response.failed',
    response: { id, status: 'failed', error: { code: 'outcome_unknown' }, output: [{ content: [{ text: 'Good ' }] }] },
  });
  expect(await own.responses.retrieve(id)).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' } });
  expect(quiet.upstream.received('chat')).toHaveLength(1);
});

test('a request that is repeated under its key is the same response; another one is refused', async () => {
  world.upstream.follow({ chat: [speaks('Good evening')] });
  const options = { headers: { 'idempotency-key': 'once' } };
  const first = await client.responses.create(background, options);
  const again = await client.responses.create(background, options);
  expect(again.id).toBe(first.id);
  const other = client.responses.create({ ...background, input: 'Something else' }, options);
  await expect(other).rejects.toMatchObject({ status: 409, code: 'idempotency_conflict' });
  await until(first.id, 'completed');
  await client.responses.delete(first.id);
  await expect(client.responses.create(background, options)).rejects.toMatchObject({
    status: 409,
    code: 'state_conflict',
  });
});

test('what is deleted is cancelled first, and leaves no word', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  speech.say('Good ');
  const { id } = await client.responses.create(background);
  await speech.begun;
  await client.responses.delete(id);
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await speech.left;
  const left = sql.unsafe`select count(*)::int from response_events where response = ${jobOf(id)}`;
  expect(await world.context.db.oneFirst(left)).toBe(0);
});

test('error: what a provider refuses has failed, and cannot be gone on from', async () => {
  world.upstream.follow({ chat: [refuses] });
  const { id } = await client.responses.create(background);
  await until(id, 'failed');
  expect((await client.responses.retrieve(id)).error).toMatchObject({ code: 'provider_refused' });
  const next = client.responses.create({ input: 'And now?', previous_response_id: id });
  await expect(next).rejects.toMatchObject({ status: 409, code: 'state_conflict' });
  const events = await Array.fromAsync(await follow(id));
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', sequence_number: events.length - 1 });
});

test('error: a response that a client waited for is neither followed nor cancelled', async () => {
  world.upstream.follow({ chat: [speaks('Good evening')] });
  const { id } = await client.responses.create({ input: 'Greet me' });
  await expect(follow(id)).rejects.toMatchObject({ status: 400, param: 'stream' });
  await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
});

test('responses are forgotten by the clock, with their events, once their jobs are', async () => {
  world.upstream.follow({ chat: [speaks('Good evening')] });
  const { id } = await client.responses.create(background);
  await until(id, 'completed');
  const { db, config } = world.context;
  const old = sql.fragment`now() - ${config.JOB_RETENTION_DAYS + 1} * interval '1 day'`;
  const connection = await openDirect(config, 'test', () => {});
  await db.query(sql.unsafe`update responses set created_at = ${old} where id = ${jobOf(id)}`);
  expect(await forgetOld(world.context, connection)).toMatchObject({ responses: 0 });
  await db.query(sql.unsafe`update jobs set finished_at = ${old} where id = ${jobOf(id)}`);
  expect(await forgetOld(world.context, connection)).toMatchObject({ jobs: 1, responses: 1 });
  await connection.end();
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
});
