import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base64urlOf } from '#src/lib/crypto/base64url.ts';
import { publicKeyOf, signatureOf } from '#src/lib/crypto/ed25519.ts';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { inclusionPath, leafHash, treeRoot } from '#src/lib/crypto/merkle.ts';
import type { Rpc } from '#src/lib/json-rpc.ts';
import { appendEvent, genesisOf } from '#src/receipts/format/event-chain.ts';
import { jwkOf } from '#src/receipts/format/jwk.ts';
import {
  addVersion,
  beginManifest,
  type KeyManifest,
  keysOf,
  type SealKey,
  versionRoot,
} from '#src/receipts/format/key-manifest.ts';
import type { Anchor, MissionEvent, Receipt } from '#src/receipts/format/receipt-schema.ts';
import { type Signer, sealReceipt } from '#src/receipts/format/seal.ts';
import { makeStatement } from '#src/receipts/format/statement.ts';
import type { ManifestAnchors } from '#src/receipts/verify/manifest-anchors-schema.ts';
import type { Trust } from '#src/receipts/verify/verify.ts';

/** Secret keys of tests, by number. */
export interface TestKey extends Signer {
  readonly publicKey: string;
  readonly secretKey: Uint8Array;
}

export function testKey(number: number): TestKey {
  const secretKey = new Uint8Array(32).fill(number);
  const publicKey = base64urlOf(publicKeyOf(secretKey));
  return {
    kid: jwkOf(publicKey).kid,
    publicKey,
    secretKey,
    sign: async (bytes) => signatureOf(bytes, secretKey),
  };
}

export const startOfDay = '2026-11-21T00:00:00.000Z';
const sampleId = '0198c0de-0000-7000-8000-000000000001';
const hashOf = (text: string): string => prefixedHexOf(leafHash(new TextEncoder().encode(text))).slice(2);

/** A receipt of a mission with some events, sealed by the key, not anchored. */
export async function sealedReceipt(
  key: Signer,
  count = 4,
  sealedAt = '2026-11-21T12:00:00.000Z',
  id = sampleId,
): Promise<Receipt> {
  const mission = { id, goalSha256: hashOf('goal'), planSha256: hashOf('plan'), createdAt: startOfDay };
  const genesis = genesisOf(mission);
  const events: MissionEvent[] = [];
  for (let seq = 0; seq < count; seq += 1) {
    const at = new Date(Date.parse(startOfDay) + seq).toISOString();
    const data = {
      step: `step-${seq}`,
      public: seq % 2 === 0,
      count: seq,
      title: 'Größe \u20ac \u{1f600} \u0007 "\\',
      note: { saltedSha256: hashOf(`note ${seq}`) },
    };
    events.push(appendEvent({ seq, prev: events.at(-1)?.hash ?? genesis }, 'step.finished', at, data));
  }
  const statement = makeStatement({
    receiptId: id,
    issuer: 'https://proofline.example',
    mission,
    events: { count, genesis, head: events.at(-1)?.hash ?? genesis },
    outcome: 'succeeded',
    human: [
      { step: 'publish', assurance: 'enrolled', provider: 'operator-invite', challengeSha256: hashOf('challenge') },
    ],
    subjects: [{ name: 'assets/poster.png', digest: { sha256: hashOf('poster') } }],
    sealedAt,
  });
  return await sealReceipt(statement, events, key);
}

export const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const chainId = 31_337;
export const chain = `eip155:${chainId}`;
export const address = account.address.toLowerCase();

/** What an endpoint of a chain answers, method by method; parameters joined by commas. */
export type ChainAnswers = Record<string, unknown>;

/** The receipt anchored as number `index` of a batch of `size`, and a chain that says so. */
export async function anchored(
  receipt: Receipt,
  { index = 1, size = 3, blockTime = '2026-11-21T12:00:10.000Z' } = {},
): Promise<{ receipt: Receipt; answers: ChainAnswers }> {
  const leaves = Array.from({ length: size }, (_, at) =>
    at === index ? bytesOfHex(receipt.root) : leafHash(Uint8Array.of(at)),
  );
  const root = prefixedHexOf(treeRoot(leaves));
  const rawTx = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: 7,
    to: account.address,
    value: 0n,
    data: root,
    gas: 25_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  const tx = keccak256(rawTx);
  const block = { number: 42, hash: `0x${'b1'.repeat(32)}` };
  const path = inclusionPath(leaves, index).map(prefixedHexOf);
  const anchor: Anchor = {
    chain,
    from: address,
    root,
    proof: { alg: 'rfc6962-sha256', index, size, path },
    tx,
    block,
    rawTx,
  };
  return { receipt: { ...receipt, anchor }, answers: answersFor(anchor, root, blockTime) };
}

function answersFor({ tx, block }: Anchor, input: string, blockTime: string): ChainAnswers {
  const number = `0x${block.number.toString(16)}`;
  const timestamp = `0x${(Date.parse(blockTime) / 1_000).toString(16)}`;
  const where = { blockHash: block.hash, blockNumber: number };
  return {
    eth_chainId: `0x${chainId.toString(16)}`,
    eth_blockNumber: '0x40',
    [`eth_getTransactionByHash,${tx}`]: { hash: tx, input, from: account.address, to: account.address, ...where },
    [`eth_getTransactionReceipt,${tx}`]: { transactionHash: tx, status: '0x1', ...where },
    [`eth_getBlockByNumber,${number},false`]: { number, hash: block.hash, timestamp, transactions: [tx] },
    'eth_getBlockByNumber,safe,false': { number: '0x39' },
    'eth_getBlockByNumber,finalized,false': { number: '0x29' },
  };
}

/** Every version of the manifest in a batch of three of its own, as the service publishes it, and a chain that says so. */
export async function anchoredManifest(
  receipt: Receipt,
  { versions }: KeyManifest,
): Promise<{ anchors: ManifestAnchors; answers: ChainAnswers }> {
  const made = await Promise.all(
    versions.map(async ({ body }, index) => {
      const root = versionRoot(body);
      const { receipt: held, answers } = await anchored({ ...receipt, root }, { index });
      return { version: { version: body.version, root, anchor: held.anchor }, answers };
    }),
  );
  const answers = onOneChain(...made.map((one) => one.answers));
  return { anchors: { versions: made.map(({ version }) => version) }, answers };
}

/** What one chain says where several say something: the block in which all of it stands has every transaction. */
export function onOneChain(...all: readonly ChainAnswers[]): ChainAnswers {
  const block = 'eth_getBlockByNumber,0x2a,false';
  const blocks = all.map((answers) => answers[block] as { readonly transactions: readonly string[] });
  const transactions = blocks.flatMap((one) => one.transactions);
  return Object.assign({}, ...all, { [block]: { ...blocks[0], transactions } }) as ChainAnswers;
}

/** An endpoint in this process; what it does not know it answers with null, as a chain does. */
export function localRpc(answers: ChainAnswers, name = 'chain.test'): Rpc {
  return { name, call: async (method, params) => answers[[method, ...params].join(',')] ?? null };
}

/** A manifest of one key, in use since the start of the day. */
export async function manifestOf(key: TestKey, of: Partial<SealKey> = {}): Promise<KeyManifest> {
  const { kid, publicKey } = key;
  const first = { kid, publicKey, nbf: startOfDay, exp: null, revokedAt: null, reason: null };
  const begun = await beginManifest(first, startOfDay, key);
  return Object.keys(of).length === 0 ? begun : await addVersion(begun, [{ ...first, ...of }], startOfDay, key);
}

/** Whoever believes this manifest, and asks these endpoints. */
export function trustIn(manifest: KeyManifest, rpc: readonly Rpc[] = []): Trust {
  const jwks = { keys: keysOf(manifest).map(({ publicKey }) => jwkOf(publicKey)) };
  return { jwks, manifest, anchors: [{ chain, address }], rpc };
}
