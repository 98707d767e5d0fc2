import { randomUUID } from 'node:crypto';
import { type Hex, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import type { Leaf } from '#src/receipts/anchor/leaves.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { surveyAccounts } from '#src/receipts/anchor/survey.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import type { Context } from '#src/system/context.ts';
import { openChain } from '#src/system/outside/evm-chain.ts';
import { seeded } from '#test/chaos/random.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { type TestChain, testChain } from '#test/helpers/servers/anvil.ts';
import { calldataOf, countRoots, putLeaves, readBatches, unproven } from '#test/receipts/anchored.ts';
import { type Fate, faultyEndpoint } from '#test/receipts/faulty-endpoint.ts';

const BATCHES = 110;
/** Blocks after which nothing is reorganised any more. */
const DEPTH = 3;
const faults: readonly [Fate, ...Fate[]] = ['lose_question', 'lose_answer', 'refuse', 'babble'];
const open = ['new', 'signed', 'included', 'safe'];

test('110 batches through crashes, drops, reorganisations and stolen nonces: none is missing, none doubled', async () => {
  await using chain = await testChain({ depth: DEPTH });
  await using endpoint = await faultyEndpoint(chain.anvil.url);
  await using system = await quietSystem({
    ...chain.settings,
    ANCHOR_RPC_URL: endpoint.url,
    ANCHOR_BATCH_MAX: '4',
    ANCHOR_MAX_FEE_GWEI: '500',
  });
  const { context } = system;
  const { chance, whole, pick } = seeded(20_261_121);
  const upTo = (most: number) => whole(0, most);
  const eager: Context = { ...context, config: { ...context.config, ANCHOR_BUMP_MS: 0 } };
  const seen = { crashes: 0, lostSends: 0, drops: 0, reorgs: 0, thefts: 0, moves: new Map<string, number>() };
  const leaves: Leaf[] = [];

  const tick = async (id: string) => {
    const { did } = await tickBatch(chance(0.15) ? eager : context, id);
    seen.moves.set(did, (seen.moves.get(did) ?? 0) + 1);
  };
  /** Whatever fails here ends a tick half way, as the death of its process does: nothing of it is left but what is kept. */
  const unlucky = async (id: string) => {
    const [at, fate] = [upTo(14), pick(faults)];
    let asked = 0;
    endpoint.fate = (method) => {
      const hit = asked++ === at || (method === 'eth_sendRawTransaction' && at > 8);
      if (hit && method === 'eth_sendRawTransaction') seen.lostSends++;
      return hit ? fate : 'answer';
    };
    await tick(id).catch(() => seen.crashes++);
    endpoint.fate = () => 'answer';
  };

  while ((await readBatches(context)).length < BATCHES) {
    const news = Array.from({ length: upTo(4) }, (): Leaf => `receipt:${randomUUID()}`);
    leaves.push(...news);
    await putLeaves(context, news);
    await makeBatches(context);
    const under = (await readBatches(context)).filter(({ status }) => open.includes(status));
    for (const { id, status } of under) {
      // what is included only has to become final
      if (chance(status === 'new' || status === 'signed' ? 0.3 : 0.7)) continue;
      await (chance(0.35) ? unlucky(id) : tick(id));
    }
    if (chance(0.2)) seen.drops += await dropOne(chain, pick);
    if (chance(0.15)) seen.thefts += await steal(chain, whole(1, 1e9));
    if (chance(0.8)) await chain.client.mine({ blocks: 1 + upTo(1) });
    if (chance(0.12)) seen.reorgs += await reorganise(chain, 1 + upTo(DEPTH));
    if (chance(0.2)) await surveyAccounts(context, openChain(context) as never);
  }

  for (let rounds = 0; ; rounds++) {
    await makeBatches(context);
    await surveyAccounts(context, openChain(context) as never);
    const under = (await readBatches(context)).filter(({ status }) => open.includes(status));
    if (under.length === 0) break;
    if (rounds > 200) throw new Error(`still under way: ${JSON.stringify(under)}`);
    for (const { id } of under) await tick(id);
    await chain.client.mine({ blocks: 1 });
  }

  const batches = await readBatches(context);
  const roots = batches.map(({ root }) => root).filter((root): root is Hex => root !== null);
  const counts = countRoots(await calldataOf(chain), roots);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  expect(roots.length).toBeGreaterThan(100);
  expect(await unproven(context, chain, leaves)).toEqual([]);
  // it was no walk in the park
  expect(
    Math.min(seen.crashes, seen.lostSends, seen.drops, seen.reorgs, seen.thefts),
    JSON.stringify({ ...seen, moves: [...seen.moves] }),
  ).toBeGreaterThan(2);
  for (const move of ['sign', 'send', 'bump', 'record', 'lose']) expect(seen.moves.get(move), move).toBeGreaterThan(2);
}, 240_000);

/** Takes one transaction out of the pool, as a node that restarts does. */
async function dropOne({ client }: TestChain, pick: <T>(list: readonly [T, ...T[]]) => T): Promise<number> {
  const { pending, queued } = await client.getTxpoolContent();
  const hashes = [pending, queued].flatMap((part) =>
    Object.values(part).flatMap((mine) => Object.values(mine).map(({ hash }) => hash)),
  );
  const [first, ...rest] = hashes;
  if (first === undefined) return 0;
  await client.dropTransaction({ hash: pick([first, ...rest]) });
  return 1;
}

/** Somebody else who has the key uses the next nonce, and pays more than we ever would. */
async function steal({ client }: TestChain, what: number): Promise<number> {
  const nonce = await client.getTransactionCount({ address: client.account.address });
  await client.sendTransaction({
    to: client.account.address,
    data: numberToHex(what, { size: 4 }),
    nonce,
    gas: 30_000n,
    maxFeePerGas: 2_000_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000_000n,
  });
  await client.mine({ blocks: 1 });
  return 1;
}

async function reorganise({ client }: TestChain, depth: number): Promise<number> {
  if ((await client.getBlockNumber()) < 10n) return 0;
  await client.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
  return 1;
}
