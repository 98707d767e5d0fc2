import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTestClient, type Hex, http, keccak256, publicActions } from 'viem';
import { foundry } from 'viem/chains';
import { expect, test } from 'vitest';
import { httpRpc } from '#src/lib/json-rpc.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { account, address, chain, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

const path = join(import.meta.dirname, '../../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');
const isHere = process.platform === 'linux' && process.arch === 'x64' && existsSync(path);
const where = isHere ? '' : ' (skipped: no anvil here)';

/** A chain of its own; gone when disposed, with all that it knew. */
async function startAnvil() {
  const args = ['--host', '127.0.0.1', '--port', '0', '--slots-in-an-epoch', '1'];
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    const url = `http://127.0.0.1:${port}`;
    const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(url) }).extend(publicActions);
    return {
      url,
      client,
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }
  throw new Error('anvil ended before it listened');
}

type Anvil = Awaited<ReturnType<typeof startAnvil>>;

/** The receipt, with its root as the calldata of a transaction that this chain has mined. */
async function anchoredOn({ client }: Anvil, receipt: Receipt): Promise<Receipt> {
  await client.setBalance({ address: account.address, value: 10n ** 18n });
  const rawTx = await account.signTransaction({
    type: 'eip1559',
    chainId: foundry.id,
    nonce: 0,
    to: account.address,
    data: receipt.root as Hex,
    gas: 30_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  await client.sendRawTransaction({ serializedTransaction: rawTx });
  const tx = keccak256(rawTx);
  const { blockNumber, blockHash } = await client.waitForTransactionReceipt({ hash: tx, pollingInterval: 20 });
  const proof = { alg: 'rfc6962-sha256' as const, index: 0, size: 1, path: [] };
  const block = { number: Number(blockNumber), hash: blockHash };
  return { ...receipt, anchor: { chain, from: address, root: receipt.root, proof, tx, block, rawTx } };
}

test(`a real chain: the calldata is read back, grows final, is missed after a reorganisation, and is lost with the chain${where}`, {
  skip: !isHere,
}, async () => {
  const key = testKey(1);
  const sealed = await sealedReceipt(key);
  const manifest = await manifestOf(key);
  const anchorBy = async (receipt: Receipt, { url }: Anvil) =>
    (await verifyReceipt(receipt, trustIn(manifest, [httpRpc(url)]))).anchor;
  await using anvil = await startAnvil();
  const receipt = await anchoredOn(anvil, sealed);
  expect(await anchorBy(receipt, anvil)).toMatchObject({
    verdict: 'pass',
    finality: 'included',
    inclusion: 'direct',
    calldata: receipt.root,
    equalsRoot: true,
  });
  await anvil.client.mine({ blocks: 5 });
  expect(await anchorBy(receipt, anvil)).toMatchObject({ verdict: 'pass', finality: 'finalized' });

  await anvil.client.request({ method: 'anvil_reorg', params: [6, []] } as never);
  expect(await anchorBy(receipt, anvil)).toMatchObject({ verdict: 'fail', finality: null });

  await using empty = await startAnvil();
  const lost = await anchorBy(receipt, empty);
  expect(lost).toMatchObject({ verdict: 'not-checked', reason: expect.stringContaining('its chain has been lost') });
});
