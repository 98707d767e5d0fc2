import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import Type from 'typebox';
import { type Hex, parseEther } from 'viem';
import { expect, test } from 'vitest';
import { gaugeAnchors } from '#src/receipts/anchor/anchor-gauges.ts';
import type { Leaf } from '#src/receipts/anchor/leaves.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { surveyAccounts } from '#src/receipts/anchor/survey.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import type { Context } from '#src/system/context.ts';
import { chainAt, openChain } from '#src/system/outside/evm-chain.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { chainClient, type TestChain, testChain } from '#test/helpers/servers/anvil.ts';
import { calldataOf, countRoots, putLeaves, readBatches, unproven } from '#test/receipts/anchored.ts';
import { faultyEndpoint } from '#test/receipts/faulty-endpoint.ts';

const leavesOf = (count: number): Leaf[] => Array.from({ length: count }, (): Leaf => `receipt:${randomUUID()}`);

async function survey(context: Context): Promise<void> {
  const chain = openChain(context);
  if (!chain) throw new Error('expected a chain in the settings');
  await surveyAccounts(context, chain);
}

/** Looks and mines until nothing is under way. */
async function settle(context: Context, { client }: TestChain): Promise<void> {
  for (let rounds = 0; rounds < 100; rounds++) {
    await makeBatches(context);
    await survey(context);
    const under = (await readBatches(context)).filter(({ status }) => status !== 'finalized' && status !== 'void');
    if (under.length === 0) return;
    for (const { id } of under) await tickBatch(context, id);
    await client.mine({ blocks: 1 });
  }
  throw new Error(`still under way: ${JSON.stringify(await readBatches(context))}`);
}

const attemptRow = row(
  Type.Object({ hash: Type.String(), nonce: Type.Integer(), why: Type.String(), lost: Type.Integer() }),
);

const attemptsOf = async ({ db }: Context) =>
  await db.any(sql.type(attemptRow)`
    select '0x' || encode(hash, 'hex') as hash, nonce, why, lost from anchor_attempts order by at`);

test('a chain that lost its state gets everything again: the same bytes, a filler for what was not ours, and the attempts say so', async () => {
  await using first = await testChain();
  await using endpoint = await faultyEndpoint(first.anvil.url);
  await using system = await quietSystem({ ...first.settings, ANCHOR_RPC_URL: endpoint.url, ANCHOR_BATCH_MAX: '1' });
  const { context } = system;
  const leaves = leavesOf(12);
  await putLeaves(context, leaves.slice(0, 6));
  await settle(context, first);
  // a transaction that no batch of ours knows, between ours
  await first.client.sendTransaction({ to: first.client.account.address, data: '0xdead' });
  await first.client.mine({ blocks: 3 });
  await putLeaves(context, leaves.slice(6));
  await settle(context, first);
  const before = await attemptsOf(context);
  expect(before).toHaveLength(12);

  await using second = await testChain();
  endpoint.target = second.anvil.url;
  await second.client.setBalance({ address: first.client.account.address, value: parseEther('1') });
  await settle(context, second);

  const mine = { ...second, client: chainClient(second.anvil.url, first.anvil.key) };
  const batches = await readBatches(context);
  const roots = batches.map(({ root }) => root).filter((root): root is Hex => root !== null);
  const calldata = await calldataOf(mine);
  expect(roots).toHaveLength(12);
  expect([...countRoots(calldata, roots)].filter(([, count]) => count !== 1)).toEqual([]);
  expect(calldata).toHaveLength(13);
  expect(calldata[6]).toBe('0x');
  expect(await unproven(context, mine, leaves)).toEqual([]);
  expect(await attemptsOf(context)).toEqual([
    ...before.map((one) => ({ ...one, lost: 1 })),
    expect.objectContaining({ nonce: 6 }),
  ]);
});

test('another chain under the same address is refused with one sentence, and nothing is signed for it', async () => {
  await using chain = await testChain();
  await using system = await quietSystem(chain.settings);
  const { context } = system;
  await putLeaves(context, leavesOf(1));
  const [id = ''] = await makeBatches(context);
  await chain.client.request({ method: 'anvil_setChainId' as never, params: [5] as never });
  const refusal = {
    code: 'invalid_configuration',
    message:
      'ANCHOR_CHAIN: expected an endpoint of eip155:31337, got one of eip155:5: set ANCHOR_CHAIN or ANCHOR_RPC_URL so that they fit.',
  };
  await expect(tickBatch(context, id)).rejects.toMatchObject(refusal);
  await expect(survey(context)).rejects.toMatchObject(refusal);
  expect(await attemptsOf(context)).toEqual([]);
});

test('an account without funds keeps the batch signed, raises the alarm and offers no more; with funds it goes on', async () => {
  await using chain = await testChain();
  await using system = await quietSystem({ ...chain.settings, ANCHOR_BUMP_MS: '0' });
  const { context } = system;
  gaugeAnchors(context);
  const low = async () =>
    /^proofline_anchor_balance_low\{.*\} (\d)$/m.exec(await context.metrics.registry.metrics())?.[1];
  const { address } = chain.client.account;
  await chain.client.setBalance({ address, value: 1n });
  await putLeaves(context, leavesOf(1));
  const [id = ''] = await makeBatches(context);
  for (const did of ['sign', 'send', 'send']) {
    expect(await tickBatch(context, id)).toMatchObject({ status: 'signed', did });
    await chain.client.mine({ blocks: 1 });
  }
  await survey(context);
  expect(await attemptsOf(context)).toHaveLength(1);
  expect(await low()).toBe('1');

  await chain.client.setBalance({ address, value: parseEther('1') });
  await settle(context, chain);
  expect(await readBatches(context)).toMatchObject([{ status: 'finalized' }]);
  await until(async () => (await low()) === '0');
});

test('eight transactions of an account are under way at once, and leaves wait behind them', async () => {
  await using chain = await testChain();
  await using system = await quietSystem({ ...chain.settings, ANCHOR_BATCH_MAX: '1' });
  const { context } = system;
  await putLeaves(context, leavesOf(20));
  expect(await makeBatches(context)).toHaveLength(8);
  for (const { id } of await readBatches(context)) await tickBatch(context, id);
  expect(await makeBatches(context)).toHaveLength(0);
  expect((await chain.client.getTxpoolStatus()).pending).toBe(8);
  await settle(context, chain);
  expect(await calldataOf(chain)).toHaveLength(20);
});

test('a batch takes its leaves in the order of their ids', async () => {
  await using chain = await testChain();
  await using system = await quietSystem(chain.settings);
  const { context } = system;
  await putLeaves(context, ['receipt:b', 'receipt:c', 'manifest:2', 'receipt:a']);
  await makeBatches(context);
  const order = await context.db.anyFirst(sql.type(row(Type.Object({ leaf: Type.String() })))`
    select leaf from anchor_leaves order by leaf_index`);
  expect(order).toEqual(['manifest:2', 'receipt:a', 'receipt:b', 'receipt:c']);
});

test('an error of the endpoint is told without its address, in which there can be a key', async () => {
  const nowhere = chainAt('http://127.0.0.1:1/a-secret-key', 'eip155:1');
  const error = await nowhere.block('latest').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('a-secret-key');
});
