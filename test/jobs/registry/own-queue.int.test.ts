import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertOwnQueue, mayKnow } from '#src/jobs/registry/own-queue.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

const contract = { title: 'Resize an image', payload: { type: 'object' }, result: { type: 'object' } };
const name = 'acme.resize-image';

const all = new AsyncDisposableStack();
let one: Context;
let other: Context;
beforeAll(async () => {
  const { config } = all.use(await testConfig());
  one = all.use(await openContext(config, 'api'));
  other = all.use(await openContext(config, 'api'));
  await registryOf(other).refresh();
  await registerQueue(one, { name, version: 1, contract, owner: 'acme', by: 'key 1' });
});
afterAll(async () => await all.disposeAsync());

test('the owner of a namespace gets the contract, also in a process that has not heard of the queue', async () => {
  expect(await assertOwnQueue(other, { owner: 'acme' }, name)).toMatchObject({ name, version: 1 });
  for (const context of [one, other]) expect(registryOf(context).ownerOf(name)).toBe('acme');
});

test('error: a queue of another owner, a built-in one and one that is not there are refused in the same words', async () => {
  for (const missing of [name, 'studio.render', 'acme.none', 'nobody.knows', 'acme', ''])
    await expect(assertOwnQueue(one, { owner: 'eve' }, missing)).rejects.toMatchObject({
      code: 'not_found',
      message: `expected the name of a queue (GET /v1/queues lists them), got ${missing}.`,
    });
  for (const missing of ['studio.render', 'acme.none'])
    await expect(assertOwnQueue(one, { owner: 'acme' }, missing)).rejects.toMatchObject({ code: 'not_found' });
});

test('a queue is known to its owner and to operators, a built-in one to everybody', () => {
  const known = (owner: string | null) => [name, 'studio.render'].map((queue) => mayKnow(one, owner, queue));
  expect([known('acme'), known('eve'), known(null)]).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ]);
  expect(registryOf(one).ownerOf('studio.render')).toBeNull();
});
