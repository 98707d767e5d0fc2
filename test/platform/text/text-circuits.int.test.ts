import { expect, test } from 'vitest';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import { circuitRules } from '#src/lib/async/circuit.ts';
import { admit, report } from '#src/providers/calls/admission.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { chunkOf, done, streams } from '#test/helpers/vendors/chat-stream.ts';
import { always, answersJson, broken, type Turn } from '#test/helpers/vendors/vendor-server.ts';
import { type TextWorld, textWorld } from '#test/platform/text-world.ts';

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];
const busyFor = (seconds: string) => always(answersJson(429, {}, { 'retry-after': seconds }));

async function ask({ url, secret }: TextWorld, headers: Readonly<Record<string, string>> = {}, more: object = {}) {
  const answer = await fetch(`${url}/api/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ messages, model: 'auto', ...more }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

test('the first piece of a probe lets others go, while its stream runs on', async () => {
  await using world = await textWorld();
  const { context } = world.api;
  const one = catalogueOf(context).find(({ id }) => id === 'one');
  if (!one) throw new Error('expected a provider');
  for (let n = 0; n < circuitRules.failures; n++) {
    const admission = await admit(context, one, 'text.generate');
    if (admission.admitted) await report(context, admission, 'failed');
  }
  expect((await ask(world)).body.details.providers[0].reason).toMatch(/circuit is open/);
  const key = `${context.config.REDIS_PREFIX}:circuit:one:text.generate`;
  await context.redis.set(key, JSON.stringify({ ...JSON.parse((await context.redis.get(key)) ?? ''), openUntil: 1 }));
  const goOn = Promise.withResolvers<void>();
  const long: Turn = streams([chunkOf({ content: 'A light' })], (response) => {
    void goOn.promise.then(() => response.end(chunkOf({}, 'stop') + done));
  });
  world.vendors[0]?.follow({ chat: [long] });
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  const pieces = stream[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.next();
  expect((await ask(world)).status).toBe(200);
  goOn.resolve();
  for (let next = await pieces.next(); !next.done; next = await pieces.next());
});

test('busy providers are no failures: each is left alone for as long as it said, and who asks hears of the shortest wait', async () => {
  await using world = await textWorld([{ chat: busyFor('40') }, { chat: busyFor('90') }]);
  const first = await ask(world, { 'idempotency-key': 'k-1' });
  expect([first.status, first.headers.get('retry-after'), first.headers.get('x-should-retry')]).toEqual([
    503,
    '40',
    'true',
  ]);
  // neither is asked again, and there is no job
  const next = await ask(world, { 'idempotency-key': 'k-2' });
  expect(Number(next.headers.get('retry-after'))).toBeGreaterThan(1);
  expect(next.body.details.providers[0].reason).toMatch(/busy/);
  expect(world.vendors.map((vendor) => vendor.received('chat').length)).toEqual([1, 1]);
  expect(await world.jobs()).toHaveLength(1);
  const health: any = await (await fetch(`${world.url}/api/v2/health`)).json();
  expect(health.capabilities['text.generate'].healthy).toBe(0);
  const stored = await ask(world, { 'idempotency-key': 'k-1' });
  const told = ['x-should-retry', 'idempotency-replayed', 'x-job-id', 'retry-after'].map((name) =>
    stored.headers.get(name),
  );
  expect([stored.status, ...told]).toEqual([503, 'false', 'true', (await world.jobs())[0]?.id, null]);
});

test('max_cost_usd bounds the turn: what the first provider may be owed is not there for the next', async () => {
  await using world = await textWorld([{ chat: [broken, broken, broken] }, {}]);
  const bounded = (usd?: number) => ({ max_completion_tokens: 100, ...(usd && { routing: { max_cost_usd: usd } }) });
  const free = await ask(world, {}, bounded());
  const [first] = await readCalls(world.api.context, free.body.job.id);
  const quoted = first!.quoted / 1e6;
  // enough for either of them: yet the first has read what it was sent, and can have begun to write
  const refused = await ask(world, {}, bounded(quoted));
  expect(refused).toMatchObject({ status: 503, body: { code: 'providers_exhausted' } });
  expect(refused.body.details.providers).toMatchObject([
    { provider: 'one', reason: expect.stringMatching(/500/) },
    { provider: 'two', reason: expect.stringMatching(/max_cost_usd|budget|left/i) },
  ]);
  expect(world.vendors[1]?.received('chat')).toHaveLength(1);
  const enough = await ask(world, {}, bounded(2 * quoted));
  expect(enough.body).toMatchObject({ run: { provider: 'two' } });
});
