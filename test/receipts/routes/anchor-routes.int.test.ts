import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedAnchor } from '#src/receipts/anchor/list-anchors.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import { type TestChain, testChain } from '#test/helpers/servers/anvil.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { putLeaves, rootFor } from '#test/receipts/anchored.ts';

let chain: TestChain;
let api: TestApi;
beforeAll(async () => {
  chain = await testChain();
  api = await testApi({ ...chain.settings, ANCHOR_BATCH_MAX: '2' });
  await putLeaves(api.context, ['receipt:a', 'receipt:b', 'receipt:c']);
  const ids = await makeBatches(api.context);
  for (const id of ids) await tickBatch(api.context, id);
  await chain.client.mine({ blocks: 1 });
  await tickBatch(api.context, ids[0] ?? '');
  await putLeaves(api.context, ['receipt:d']);
  await makeBatches(api.context);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await chain[Symbol.asyncDispose]();
});

interface Page {
  readonly chain: string;
  readonly data: readonly ListedAnchor[];
  readonly nextCursor: string | null;
}

const get = async (query = '') => {
  const answer = await api.app.inject({ url: `/api/v1/anchors${query}` });
  return { answer, page: answer.json<Page>() };
};

test('anybody reads what was signed, oldest first, from any page: nonces, roots, leaves, attempts, blocks', async () => {
  const { answer, page } = await get();
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(page).toMatchObject({ chain: 'eip155:31337', nextCursor: null });
  // the batch that is not signed yet is not among them
  expect(page.data.map(({ nonce, status }) => [nonce, status])).toEqual([
    [0, 'included'],
    [1, 'signed'],
  ]);
  const [first, second] = page.data;
  expect(first?.leaves).toEqual([rootFor('receipt:a'), rootFor('receipt:b')]);
  expect(first?.attempts).toMatchObject([{ nonce: 0, why: 'first', lost: 0, block: { number: 1 } }]);
  const transaction = await chain.client.getTransaction({ hash: first?.attempts[0]?.tx ?? '0x' });
  expect(transaction.input).toBe(first?.root);
  expect(first?.from).toBe(chain.client.account.address.toLowerCase());
  expect(second?.root).toBe(second?.leaves[0]);
  expect(second?.attempts[0]?.block).toBe(null);
});

test('pages follow one another', async () => {
  const one = await get('?limit=1&chain=eip155:31337');
  const two = await get(`?limit=1&cursor=${one.page.nextCursor}`);
  expect([...one.page.data, ...two.page.data].map(({ nonce }) => nonce)).toEqual([0, 1]);
  expect(two.page.nextCursor).toBe(null);
  expect((await get('?chain=eip155:1')).page.data).toEqual([]);
});

test.each(['?chain=solana:1', '?cursor=x', '?limit=0', '?limit=101'])('error: %s is refused', async (query) => {
  const { answer } = await get(query);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'invalid_request' });
});
