import { expect, test } from 'vitest';
import type { Rpc } from '#src/lib/json-rpc.ts';
import { rememberChain } from '#src/receipts/verify/remember-chain.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchored, type ChainAnswers, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);
const finalTag = 'eth_getBlockByNumber,finalized,false';

/** A receipt, and a service that remembers one endpoint; `answers` may be changed behind its back. */
async function service({ final = true } = {}) {
  const { receipt, answers } = await anchored(await sealedReceipt(key));
  const chain: ChainAnswers = { ...answers, ...(final && { [finalTag]: { number: '0x2a' } }) };
  let calls = 0;
  const rpc: Rpc = {
    name: 'chain.test',
    call: async (method, params) => {
      calls += 1;
      const answer = chain[[method, ...params].join(',')] ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const trust = { ...trustIn(await manifestOf(key), [rpc]), readChain: rememberChain() };
  return {
    receipt,
    chain,
    receiptCall: `eth_getTransactionReceipt,${receipt.anchor?.tx}`,
    check: async (one: unknown = receipt) => (await verifyReceipt(one, trust)).anchor,
    /** Calls of the chain that this takes. */
    cost: async (work: () => Promise<unknown>) => {
      const before = calls;
      await work();
      return calls - before;
    },
  };
}

test('what the chain said of a final transaction is asked once, and serves every receipt that fits it', async () => {
  const { check, cost } = await service();
  expect(await cost(check)).toBeGreaterThan(0);
  expect(await cost(check)).toBe(0);
  expect(await check()).toMatchObject({ verdict: 'pass', finality: 'finalized', equalsRoot: true });
});

test('a receipt that does not fit what is remembered is held against the chain again, and fails', async () => {
  const { check, cost, receipt } = await service();
  await check();
  const forged = { ...receipt, anchor: { ...receipt.anchor, block: { number: 43, hash: receipt.anchor?.block.hash } } };
  expect(await cost(async () => await check(forged))).toBeGreaterThan(0);
  expect(await check(forged)).toMatchObject({ verdict: 'fail', finality: null, anchoredAt: null });
  expect(await check()).toMatchObject({ verdict: 'pass' });
});

test('a transaction that stands in another block after its chain was begun anew is found there', async () => {
  const { check, chain, receipt } = await service();
  await check();
  const hash = `0x${'b2'.repeat(32)}`;
  for (const [call, answer] of Object.entries(chain)) {
    const { blockHash, transactions } = answer as { blockHash?: string; transactions?: unknown };
    if (blockHash) chain[call] = { ...(answer as object), blockHash: hash };
    if (transactions) chain[call] = { ...(answer as object), hash };
  }
  const moved = { ...receipt, anchor: { ...receipt.anchor, block: { number: 42, hash } } };
  expect(await check(moved)).toMatchObject({ verdict: 'pass' });
  expect(await check()).toMatchObject({ verdict: 'fail' });
});

test('an answer with a part missing is no memory, nor is a failure: the next question is asked anew', async () => {
  const { check, cost, chain, receiptCall } = await service();
  const whole = chain[receiptCall];
  chain[receiptCall] = null;
  expect(await check()).toMatchObject({ verdict: 'fail' });
  chain[receiptCall] = new Error('chain.test did not answer');
  expect(await check()).toMatchObject({ verdict: 'not-checked' });
  chain[receiptCall] = whole;
  expect(await check()).toMatchObject({ verdict: 'pass' });
  expect(await cost(check)).toBe(0);
});

test('requests for the same at once share one question to the chain', async () => {
  const alone = await service({ final: false });
  const crowd = await service({ final: false });
  const one = await alone.cost(alone.check);
  const ten = await crowd.cost(async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await crowd.check()));
    const found = answers.map(({ verdict, finality }) => `${verdict} ${finality}`);
    expect(new Set(found)).toEqual(new Set(['pass safe']));
  });
  expect(ten).toBe(one);
});
