import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { misfit } from '#queues/misfit.ts';
import type { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

const contract = (width: object = { type: 'integer' }): ContractBody => ({
  title: 'Resize an image',
  payload: { type: 'object', properties: { url: { type: 'string' }, width }, required: ['url'] },
  result: { type: 'object' },
});
const resize = (version: number, body: ContractBody = contract(), owner = 'acme') => ({
  name: 'acme.resize-image',
  version,
  contract: body,
  owner,
  by: `key ${randomUUIDv7()}`,
});

async function twoProcesses() {
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const one = stack.use(await openContext(config, 'api'));
  const other = stack.use(await openContext(config, 'worker'));
  const all = stack.move();
  return { one, other, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('a registered queue is known here at once, and in another process without a restart', async () => {
  await using processes = await twoProcesses();
  const { one, other } = processes;
  const elsewhere = registryOf(other);
  await elsewhere.refresh();
  expect(elsewhere.get('acme.resize-image')).toBeUndefined();
  expect(await registerQueue(one, resize(1))).toBe('created');
  expect(await registerQueue(one, resize(1))).toBe('unchanged');
  const here = registryOf(one).get('acme.resize-image');
  expect(here).toMatchObject({ version: 1, title: 'Resize an image', attempts: 3, timeoutMs: 60_000 });
  expect(misfit(here!.payload, { width: 3 })?.message).toContain('url');
  await expect.poll(() => elsewhere.names()).toContain('acme.resize-image');
  expect(elsewhere.all().at(-1)?.name).toBe('acme.resize-image');
});

test('a change that old payloads satisfy keeps the version; any other is refused with the place, and makes the next', async () => {
  await using processes = await twoProcesses();
  const { one } = processes;
  await registerQueue(one, resize(1));
  expect(await registerQueue(one, resize(1, contract({ type: ['integer', 'null'] })))).toBe('changed');
  const narrower = contract({ type: 'integer', minimum: 1 });
  await expect(registerQueue(one, resize(1, narrower))).rejects.toMatchObject({
    code: 'incompatible_contract',
    message: expect.stringContaining('/payload/properties/width/type'),
    details: { next: 2 },
  });
  await expect(registerQueue(one, resize(3, narrower))).rejects.toMatchObject({
    details: { path: '/version', next: 2 },
  });
  expect(await registerQueue(one, resize(2, narrower))).toBe('created');
  const registry = registryOf(one);
  expect(registry.get('acme.resize-image')?.version).toBe(2);
  expect(misfit(registry.get('acme.resize-image', 1)!.payload, { url: 'a', width: 0 })).toBeNull();
  expect(misfit(registry.get('acme.resize-image')!.payload, { url: 'a', width: 0 })?.path).toBe('/width');
});

test.each([
  ['studio.render', 'acme', 'forbidden'],
  ['proofline.sweep', 'acme', 'forbidden'],
  ['acme', 'acme', 'invalid_request'],
  ['Acme.Resize', 'acme', 'invalid_request'],
  ['acme.resize.twice', 'acme', 'invalid_request'],
  [`acme.${'x'.repeat(100)}`, 'acme', 'invalid_request'],
])('error: %s is no name that %s may register', async (name, owner, code) => {
  await using processes = await twoProcesses();
  await expect(registerQueue(processes.one, { ...resize(1), name, owner })).rejects.toMatchObject({ code });
});

test('error: a namespace belongs to who was first, also where two come at once', async () => {
  await using processes = await twoProcesses();
  const { one, other } = processes;
  const both = await Promise.allSettled([
    registerQueue(one, resize(1)),
    registerQueue(other, { ...resize(1, contract(), 'eve'), name: 'acme.steal' }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'forbidden', details: { reason: 'namespace' } },
  });
});

test('error: a contract whose schema needs something outside is refused with the place', async () => {
  await using processes = await twoProcesses();
  const body = contract({ $ref: 'https://example.com/width.json' });
  await expect(registerQueue(processes.one, resize(1, body))).rejects.toMatchObject({
    code: 'invalid_contract',
    details: { path: '/payload/properties/width/$ref' },
  });
});
