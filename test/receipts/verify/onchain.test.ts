import { expect, test } from 'vitest';
import { httpRpc } from '#src/lib/json-rpc.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { chainEndpoint, silence } from '#test/receipts/chain-endpoint.ts';
import { anchored, type ChainAnswers, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);

async function sample() {
  const { receipt, answers } = await anchored(await sealedReceipt(key));
  const manifest = await manifestOf(key);
  const ask = async (urls: readonly string[], timeoutMs = 10_000) =>
    (
      await verifyReceipt(
        receipt,
        trustIn(
          manifest,
          urls.map((url) => httpRpc(url, timeoutMs)),
        ),
      )
    ).anchor;
  const tx = receipt.anchor?.tx ?? '';
  return { receipt, answers, ask, tx };
}

const says = (answers: ChainAnswers) => async () => await chainEndpoint((call) => answers[call] ?? null);

test('endpoints that agree: the anchor passes, as firm as the least of them says', async () => {
  const { answers, ask } = await sample();
  await using one = await says(answers)();
  await using two = await says({ ...answers, 'eth_getBlockByNumber,finalized,false': { number: '0x2a' } })();
  expect(await ask([one.url, two.url])).toMatchObject({ verdict: 'pass', finality: 'safe', equalsRoot: true });
  expect(await ask([two.url])).toMatchObject({ verdict: 'pass', finality: 'finalized' });
});

test('a chain that knows no safe block says that the anchor is included', async () => {
  const { answers, ask } = await sample();
  await using one = await chainEndpoint((call) =>
    call.includes('safe')
      ? '!{"jsonrpc":"2.0","id":1,"error":{"code":-39001,"message":"Unknown block"}}'
      : (answers[call] ?? null),
  );
  expect(await ask([one.url])).toMatchObject({ verdict: 'pass', finality: 'included' });
});

test('an endpoint that is down, slow, on another chain, behind, or speaks something else leaves the question open', {
  timeout: 60_000,
}, async () => {
  const { answers, ask } = await sample();
  await using good = await says(answers)();
  await using silent = await chainEndpoint(() => silence);
  await using elsewhere = await says({ ...answers, eth_chainId: '0x1' })();
  await using behind = await says({ ...answers, eth_blockNumber: '0x29' })();
  await using page = await chainEndpoint(() => '!<html>');
  await using refusing = await chainEndpoint(() => '!{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}');
  const stopped = await says(answers)();
  await stopped[Symbol.asyncDispose]();
  const cases = {
    'did not answer eth_chainId (ECONNREFUSED)': await ask([stopped.url]),
    'no answer in 100 ms': await ask([silent.url], 100),
    'is an endpoint of the chain eip155:1, expected eip155:31337': await ask([elsewhere.url]),
    'it is behind, or its chain has been lost': await ask([behind.url]),
    'something that is no JSON': await ask([page.url]),
    'refused eth_chainId': await ask([refusing.url]),
    ECONNREFUSED: await ask([good.url, stopped.url]),
  };
  for (const [reason, anchor] of Object.entries(cases)) {
    expect(anchor, reason).toMatchObject({ verdict: 'not-checked', finality: null, anchoredAt: null });
    expect(anchor.reason).toContain(reason);
    expect(anchor.reason).not.toContain('a-secret-key');
  }
});

test('error: an endpoint that contradicts the receipt in any word fails it, and is not outvoted', {
  timeout: 60_000,
}, async () => {
  const { receipt, answers, ask, tx } = await sample();
  const [txCall, receiptCall, blockCall] = [
    `eth_getTransactionByHash,${tx}`,
    `eth_getTransactionReceipt,${tx}`,
    'eth_getBlockByNumber,0x2a,false',
  ];
  const other = `0x${'0f'.repeat(32)}`;
  const lies: readonly (readonly [call: string, change: Record<string, unknown> | null])[] = [
    [txCall, null],
    [txCall, { hash: other }],
    [txCall, { input: other }],
    [txCall, { input: `${receipt.anchor?.root}00` }],
    [txCall, { from: `0x${'aa'.repeat(20)}` }],
    [txCall, { to: null }],
    [txCall, { blockHash: other }],
    [txCall, { blockNumber: '0x2b' }],
    [receiptCall, null],
    [receiptCall, { status: '0x0' }],
    [receiptCall, { blockHash: other }],
    [receiptCall, { transactionHash: other }],
    [blockCall, null],
    [blockCall, { hash: other }],
    [blockCall, { number: '0x2b' }],
    [blockCall, { transactions: [other] }],
    [blockCall, { transactions: null }],
    [blockCall, { timestamp: 'now' }],
  ];
  await using honest = await says(answers)();
  for (const [call, change] of lies) {
    const told = change === null ? null : { ...(answers[call] as object), ...change };
    await using liar = await says({ ...answers, [call]: told })();
    const why = JSON.stringify([call, change]);
    expect(await ask([liar.url]), why).toMatchObject({ verdict: 'fail', finality: null });
    expect(await ask([honest.url, liar.url]), why).toMatchObject({ verdict: 'fail' });
  }
});

test('error: endpoints that tell different times of one block', async () => {
  const { answers, ask } = await sample();
  const call = 'eth_getBlockByNumber,0x2a,false';
  await using one = await says(answers)();
  await using two = await says({ ...answers, [call]: { ...(answers[call] as object), timestamp: '0x1' } })();
  const anchor = await ask([one.url, two.url]);
  expect(anchor).toMatchObject({ verdict: 'fail', anchoredAt: null, reason: expect.stringContaining('disagree') });
});

test('without an endpoint the chain is not asked, and the transaction itself still is', async () => {
  const { receipt, ask } = await sample();
  const anchor = await ask([]);
  // nothing was read back, so there is no calldata; what the receipt folds to is known without a chain
  expect(anchor).toMatchObject({
    verdict: 'not-checked',
    calldata: null,
    equalsRoot: null,
    root: receipt.anchor?.root,
    inclusion: 'merkle',
  });
  expect(anchor.checks.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    'inclusion pass',
    'transaction pass',
    'account pass',
    'chain not-checked',
  ]);
});
