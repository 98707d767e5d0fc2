import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { responseId } from '#src/platform/responses/model/ids.ts';
import { deleteResponse } from '#src/platform/responses/response-store.ts';
import { openSpeech } from './speech.ts';
import { responsesWorld } from './world.ts';

const options = (key: string) => ({ headers: { 'idempotency-key': key } });

test('a response that is deleted while a client waits for it is cancelled, and leaves no word', async () => {
  await using world = await responsesWorld({}, { fleet: false });
  const client = await world.client();
  const leftOf = async () =>
    JSON.stringify([
      await world.context.db.any(sql.unsafe`select payload, result from jobs`),
      await world.context.db.any(sql.unsafe`select outcome from effects`),
      await world.context.db.any(sql.unsafe`select * from responses`),
    ]);
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  speech.say('Lighthouses ');
  const stream = await client.responses.create({ input: 'What shines?', stream: true }, options('one'));
  const seen: string[] = [];
  for await (const event of stream) {
    seen.push(event.type);
    if (event.type !== 'response.output_text.delta') continue;
    // it is kept beside its first words
    await expect.poll(async () => (await world.context.db.any(sql.unsafe`select id from responses`)).length).toBe(1);
    await client.responses.delete(responseId((await jobs(world))[0].id));
  }
  await speech.left;
  expect(seen.at(-1)).toBe('response.incomplete');
  expect(await jobs(world)).toMatchObject([{ state: 'cancelled', result: null }]);
  expect(await leftOf()).not.toMatch(/Lighthouse|shines/);
});

test('words that came whole in the moment of the deletion are forgotten too', async () => {
  // no beat comes between: the process learns of the deletion when it settles
  await using world = await responsesWorld(
    { BEAT_MS: '60000', LEASE_MS: '300000', SWEEP_MS: '60000' },
    { fleet: false },
  );
  const client = await world.client();
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  speech.say('Lighthouses');
  // what is read as it comes is kept from its first words on
  const stream = await client.responses.create({ input: 'What shines?', stream: true }, options('two'));
  const answer = Array.fromAsync(stream);
  answer.catch(() => {});
  await expect.poll(async () => (await world.context.db.any(sql.unsafe`select id from responses`)).length).toBe(1);
  const [{ id }] = await jobs(world);
  await world.context.db.query(
    sql.unsafe`update jobs set state = 'cancelled', finished_at = now(), worker_id = null where id = ${id}`,
  );
  await deleteResponse(world.context, 'ada', id);
  speech.finish();
  await answer.catch(() => {});
  const effects = await world.context.db.any(sql.unsafe`select state, outcome from effects`);
  expect(effects).toMatchObject([{ state: 'done' }]);
  expect(JSON.stringify(effects)).not.toContain('Lighthouse');
});

type World = Awaited<ReturnType<typeof responsesWorld>>;
const jobs = async (world: World): Promise<any> =>
  await world.context.db.any(sql.unsafe`select id, state, result from jobs where queue = 'platform.respond'`);
