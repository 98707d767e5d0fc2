import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'slonik';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { anchor } from '#queues/missions.ts';
import { anchoredChannel, type Leaf, readAnchorState } from '#src/receipts/anchor/leaves.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { askForTicks, startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { putReceipt, readReceipt } from '#src/receipts/receipt-store.ts';
import type { Context } from '#src/system/context.ts';
import { openRedis } from '#src/system/redis/redis.ts';
import { startChild } from '#test/helpers/child.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { lively, runJobs } from '#test/helpers/run-jobs.ts';
import { testChain } from '#test/helpers/servers/anvil.ts';
import { handlers } from '#test/receipts/anchor-handlers.ts';
import { calldataOf, countRoots, putLeaves, readBatches, unproven } from '#test/receipts/anchored.ts';
import { faultyEndpoint } from '#test/receipts/faulty-endpoint.ts';
import { sealedReceipt } from '#test/receipts/sealed-receipt.ts';

/** Leader, sweep and fleet of the anchors in this process. */
async function runAnchors({ context }: QuietSystem): Promise<AsyncDisposable> {
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  return await runJobs(context, {
    name: 'anchors',
    handlers,
    module: new URL('../anchor-handlers.ts', import.meta.url),
    concurrency: 8,
    swept: [anchor.name],
    starts: [startAnchors],
  });
}

const leavesOf = (count: number): Leaf[] => Array.from({ length: count }, (): Leaf => `receipt:${randomUUID()}`);

const isAnchored = async (context: Context, leaf: Leaf) => (await readAnchorState(context, leaf))?.anchored === true;

async function allAre(context: Context, status: string): Promise<boolean> {
  const waiting = await context.db.oneFirst(sql.unsafe`select count(*)::int from anchor_leaves where batch_id is null`);
  return waiting === 0 && (await readBatches(context)).every((one) => one.status === status || one.status === 'void');
}

/** The next message on a channel, once it is listened to. */
async function messageOn({ config }: Context, channel: string): Promise<{ readonly message: Promise<unknown> }> {
  const subscriber = openRedis(config, 'patient', () => {});
  await subscriber.subscribe(channel);
  const next = async () => {
    const [, text]: string[] = await once(subscriber, 'message');
    subscriber.disconnect();
    return JSON.parse(text ?? '');
  };
  return { message: next() };
}

test('a sealed receipt is anchored as a job, told, read back, and becomes final; one a transaction is its very root', async () => {
  await using chain = await testChain({ blockMs: 50 });
  await using system = await quietSystem({ ...lively, ...chain.settings, ANCHOR_BATCH_MAX: '1' });
  await using _ = await runAnchors(system);
  const { context } = system;
  const receipt = sealedReceipt(randomUUID());
  const told = await messageOn(context, anchoredChannel(context.config, `receipt:${receipt.id}`));
  await context.db.transaction((tx) => putReceipt(tx, { owner: 'alice', kind: 'mission', receipt }));
  expect(await told.message).toMatchObject({ leaf: `receipt:${receipt.id}` });
  const read = await readReceipt(context, receipt.id);
  expect(read?.anchor).toMatchObject({ root: receipt.root, proof: { index: 0, size: 1, path: [] } });
  const transaction = await chain.client.getTransaction({ hash: read?.anchor?.tx as Hex });
  expect(transaction).toMatchObject({ input: receipt.root, value: 0n, blockHash: read?.anchor?.block.hash });
  expect(transaction.to).toBe(transaction.from);
  await until(() => allAre(context, 'finalized'));
  const metrics = await context.metrics.registry.metrics();
  expect(metrics).toMatch(/proofline_anchor_gas_total\{chain="eip155:31337"\} 22\d{3}\n/);
});

test('three processes that lead and work, one of them killed: each root is on the chain once', async () => {
  await using chain = await testChain({ blockMs: 50 });
  await using system = await quietSystem({ ...lively, ...chain.settings, ANCHOR_BATCH_MAX: '3', LOG_LEVEL: 'fatal' });
  const { context, env } = system;
  const file = new URL('../anchor-fleet.ts', import.meta.url);
  await using first = await startChild(file, env);
  await using _second = await startChild(file, env);
  await using _third = await runAnchors(system);
  const leaves = leavesOf(30);
  await putLeaves(context, leaves.slice(0, 15));
  await until(() => isAnchored(context, leaves[0] as Leaf));
  await putLeaves(context, leaves.slice(15));
  first.kill('SIGKILL');
  await until(() => allAre(context, 'finalized'));
  const roots = (await readBatches(context)).map(({ root }) => root as Hex);
  expect(roots.length).toBeGreaterThanOrEqual(10);
  expect([...countRoots(await calldataOf(chain), roots)].filter(([, count]) => count !== 1)).toEqual([]);
  expect(await unproven(context, chain, leaves)).toEqual([]);
}, 150_000);

test('an endpoint that is away, or answers with unknown errors, holds anchors up and loses none', async () => {
  await using chain = await testChain({ blockMs: 50 });
  await using endpoint = await faultyEndpoint(chain.anvil.url);
  await using system = await quietSystem({ ...lively, ...chain.settings, ANCHOR_RPC_URL: endpoint.url });
  await using _ = await runAnchors(system);
  const { context } = system;
  const asked: string[] = [];
  for (const fate of ['lose_question', 'refuse', 'babble'] as const) {
    const [leaf] = leavesOf(1) as [Leaf];
    asked.length = 0;
    endpoint.fate = (method) => {
      asked.push(method);
      return fate;
    };
    await putLeaves(context, [leaf]);
    await until(async () => (await readAnchorState(context, leaf))?.status === 'new' && asked.length > 3);
    expect(await isAnchored(context, leaf)).toBe(false);
    endpoint.fate = () => 'answer';
    await until(() => isAnchored(context, leaf));
    expect(await unproven(context, chain, [leaf])).toEqual([]);
  }
});

test('a batch whose job was cancelled gets another one', async () => {
  await using chain = await testChain({ blockMs: 50 });
  await using system = await quietSystem({ ...lively, ...chain.settings });
  const { context } = system;
  const leaves = leavesOf(2);
  await putLeaves(context, leaves);
  const leading = startAnchors(context);
  await until(
    async () =>
      (await context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where queue = ${anchor.name}`)) === 1,
  );
  await leading[Symbol.asyncDispose]();
  await context.db.query(
    sql.unsafe`update jobs set state = 'cancelled', finished_at = now() where queue = ${anchor.name}`,
  );
  await using _ = await runAnchors(system);
  await until(() => isAnchored(context, leaves[0] as Leaf));
  expect(await unproven(context, chain, leaves)).toEqual([]);
});

test('a look that failed is not asked for again at once', async () => {
  await using chain = await testChain();
  await using system = await quietSystem({ ...chain.settings, ANCHOR_POLL_MS: '60000' });
  const { context } = system;
  await putLeaves(context, leavesOf(1));
  const ids = await makeBatches(context);
  const client = await system.connect();
  expect(await askForTicks(context, client)).toEqual(ids);
  await context.db.query(sql.unsafe`update jobs set state = 'failed', finished_at = now()`);
  expect(await askForTicks(context, client)).toEqual([]);
  await context.db.query(sql.unsafe`update anchor_batches set due_at = now()`);
  expect(await askForTicks(context, client)).toEqual(ids);
  expect(await askForTicks(context, client)).toEqual([]);
});

test('without a chain in the settings roots wait, and that is no error', async () => {
  await using system = await quietSystem({ ...lively });
  await using _ = await runAnchors(system);
  const { context } = system;
  const [leaf] = leavesOf(1) as [Leaf];
  await putLeaves(context, [leaf]);
  expect(await readAnchorState(context, leaf)).toEqual({ status: 'waiting', anchored: false });
});
