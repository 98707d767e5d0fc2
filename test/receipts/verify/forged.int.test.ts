import { createPublicKey, randomUUID, verify as verifyByOpenssl } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submit } from '#src/jobs/submit/submit.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { paeOf } from '#src/receipts/format/seal.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { putReceipt, readReceipt } from '#src/receipts/receipt-store.ts';
import { openAttest } from '#src/receipts/verify/attest.ts';
import { anchorAccounts } from '#src/receipts/verify/own-attest.ts';
import { trustPaths } from '#src/receipts/verify/read-trust.ts';
import type { Attestation } from '#src/receipts/verify/verify.ts';
import { governanceFacts } from '#src/studio/operate/governance-facts.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { type TestChain, testChain } from '#test/helpers/servers/anvil.ts';
import { trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { initialize } from '#test/mcp/mcp-api.ts';
import { putLeaves } from '#test/receipts/anchored.ts';
import { walk, withValue } from '#test/receipts/leaves-of.ts';
import { sealedReceipt } from '#test/receipts/sample.ts';

/*
 * A receipt in the database is forged in every place, and every face of the service is asked for it: those that had
 * attested the whole one before, and one that had never been asked.
 */

const patient = { timeout: 300_000 };

let stack: AsyncDisposableStack;
let chain: TestChain;
let api: TestApi;
let id: string;
let machine: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  chain = stack.use(await testChain());
  const plenty = {
    ONCHAIN_PER_MINUTE: '1000000',
    RATE_STANDARD_PER_MINUTE: '1000000',
    ANONYMOUS_PER_MINUTE: '1000000',
  };
  api = stack.use(await testApi({ ...chain.settings, ...plenty, SEAL_KEY_FILE: join(folder.path, 'seal-key.json') }));
  const { context } = api;
  // a job, so that the studio has a receipt of it as well
  const { job } = await submit(context, trial, { principal: { owner: 'owner-1' }, payload: { do: 'succeed' } });
  ({ id } = job);
  const { signer } = await sealKeysOf(context)();
  const { anchor: _, ...receipt } = await sealedReceipt(signer, 1, new Date().toISOString(), id);
  await context.db.transaction((tx) => putReceipt(tx, { owner: 'owner-1', kind: 'execution', receipt }));
  await putLeaves(context, ['receipt:a', 'receipt:b']);
  const [batch = ''] = await makeBatches(context);
  await tickBatch(context, batch);
  await chain.client.mine({ blocks: 3 });
  await tickBatch(context, batch);

  const { headers } = await api.key();
  const opened = await sent(initialize(), headers);
  machine = { ...headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
}, 120_000);
afterAll(async () => await stack.disposeAsync());

async function sent(message: object, headers: Readonly<Record<string, string>>) {
  return await api.app.inject({
    method: 'POST',
    url: '/api/mcp',
    headers: { ...headers, host: '127.0.0.1', accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, ...message },
  });
}

async function byTool(name: string, onchain: boolean): Promise<any> {
  const params = { name, arguments: { receiptId: id, onchain } };
  const { body } = await sent({ method: 'tools/call', params }, machine);
  const answer = JSON.parse(/^data: (\{.*"jsonrpc".*\})$/m.exec(body)?.[1] ?? body);
  return answer.result?.structuredContent ?? answer;
}
const byRoute = async (path: string): Promise<any> => (await api.app.inject(`/api/v1/receipts/${id}${path}`)).json();
const byStudio = async () => (await governanceFacts(api.context, 'owner-1', [id]))[0]?.attestation;

/** Everything that says of a receipt whether it holds: what reads the chain, and what does not. */
const onChainFaces: Readonly<Record<string, () => Promise<Attestation>>> = {
  'GET receipts/{id}?onchain=1': async () => (await byRoute('?onchain=1')).attestation,
  'GET receipts/{id}/verify?onchain=1': async () => await byRoute('/verify?onchain=1'),
  'agent_receipt_get, onchain': async () => (await byTool('agent_receipt_get', true)).attestation,
  'agent_receipt_verify, onchain': async () => await byTool('agent_receipt_verify', true),
};
const offlineFaces: Readonly<Record<string, () => Promise<Attestation | null | undefined>>> = {
  'GET receipts/{id}': async () => (await byRoute('')).attestation,
  'GET receipts/{id}/verify': async () => await byRoute('/verify'),
  agent_receipt_get: async () => (await byTool('agent_receipt_get', false)).attestation,
  agent_receipt_verify: async () => await byTool('agent_receipt_verify', false),
  'the studio, of its job': byStudio,
};

/** A face that answers with an error instead attests nothing: null. */
const verdictsOf = (found: Attestation | null | undefined) =>
  found ? [found.integrity, found.authenticity, found.anchor].map(({ verdict }) => verdict) : null;

/** Whether the envelope that is served is sealed, as somebody finds out who has OpenSSL and the published keys. */
async function isEnvelopeSealed(): Promise<boolean> {
  const answer = await api.app.inject(`/api/v1/receipts/${id}.dsse`);
  if (answer.statusCode !== 200) return false;
  const { payload, payloadType, signatures } = answer.json();
  const { keys } = (await api.app.inject(trustPaths.jwks)).json();
  const key = keys.find(({ kid }: { kid: string }) => kid === signatures[0].keyid);
  if (!key) return false;
  const message = paeOf(payloadType, Buffer.from(payload, 'base64'));
  return verifyByOpenssl(
    null,
    message,
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signatures[0].sig, 'base64'),
  );
}

async function stored(): Promise<Omit<Receipt, 'anchor'>> {
  const { anchor: _, ...body } = (await readReceipt(api.context, id)) as Receipt;
  return body;
}
const store = async (body: unknown) =>
  await api.context.db.query(sql.unsafe`update receipts set body = ${JSON.stringify(body)}::jsonb where id = ${id}`);

/** A service that was never asked: what a check without any memory finds now. */
async function anew(): Promise<Attestation> {
  const { context } = api;
  const rpcUrls = () => [context.config.ANCHOR_RPC_URL];
  const attest = openAttest({ context, accounts: () => anchorAccounts(context), rpcUrls });
  return await attest.onChain((await readReceipt(context, id)) as Receipt, id);
}

/** Another value of the same kind, so that nothing but the value can give it away. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'something';
  const at = Math.floor(value.length / 2);
  return value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
}

async function expectWhole(): Promise<void> {
  for (const [face, ask] of Object.entries(onChainFaces)) {
    const found = await ask();
    expect([face, verdictsOf(found), found.anchor]).toEqual([
      face,
      ['pass', 'pass', 'pass'],
      expect.objectContaining({ finality: 'finalized', equalsRoot: true, calldata: found.anchor.root }),
    ]);
  }
  for (const [face, ask] of Object.entries(offlineFaces)) {
    const found = await ask();
    expect([face, verdictsOf(found)]).toEqual([face, ['pass', 'pass', 'not-checked']]);
    // nothing was read from the chain, so nothing is said to have been
    expect(found?.anchor).toMatchObject({ calldata: null, equalsRoot: null, finality: null, anchoredAt: null });
  }
  expect(await isEnvelopeSealed()).toBe(true);
}

/** Faces that attest what is there now, although it is forged. */
async function deceived(): Promise<readonly string[]> {
  const right = verdictsOf(await anew()) ?? [];
  const wrong = right.every((verdict) => verdict === 'pass') ? ['a service that was never asked'] : [];
  for (const [face, ask] of Object.entries(onChainFaces)) {
    const verdicts = verdictsOf(await ask());
    if (verdicts && verdicts.join() !== right.join())
      wrong.push(`${face}: ${verdicts.join()} instead of ${right.join()}`);
  }
  for (const [face, ask] of Object.entries(offlineFaces)) {
    const verdicts = verdictsOf(await ask());
    if (!verdicts) continue;
    const [integrity, authenticity, anchor] = verdicts;
    if (integrity !== right[0] || authenticity !== right[1]) wrong.push(`${face}: ${verdicts.join()}`);
    // what only the chain can tell may be open here, but is never passed,
    if (anchor === 'pass') wrong.push(`${face}: ${verdicts.join()}`);
  }
  return wrong;
}

test(
  'generated: every value of a stored receipt, forged after each face was asked, is attested by none',
  patient,
  async () => {
    await expectWhole();
    const whole = await stored();
    const leaves = [...walk(whole)].filter(([, value]) => typeof value !== 'object' || value === null);
    expect(leaves.length).toBeGreaterThan(35);
    await using _ = { [Symbol.asyncDispose]: async () => void (await store(whole)) };
    const missed: string[] = [];
    for (const [path, value] of leaves) {
      await store(withValue(whole, path, otherThan(value)));
      missed.push(...(await deceived()).map((face) => `${path.join('.')}: ${face}`));
      const isOfEnvelope = path[0] === 'statement' || path[0] === 'seal';
      // the algorithm is no part of an envelope
      if (isOfEnvelope && path[1] !== 'alg' && (await isEnvelopeSealed())) missed.push(`${path.join('.')}: .dsse`);
    }
    expect(missed).toEqual([]);
    await store(whole);
    await expectWhole();
  },
);

test(
  'generated: every value of a stored anchor, forged after each face was asked, is attested by none',
  patient,
  async () => {
    await expectWhole();
    const { db } = api.context;
    const other = sql.binary(Buffer.alloc(32, 7));
    const forgeries = {
      'the batch’s root': sql.unsafe`update anchor_batches set root = ${other}`,
      'another leaf of the batch': sql.unsafe`update anchor_leaves set root = ${other} where leaf = 'receipt:a'`,
      'the size of the batch': sql.unsafe`
      update anchor_leaves set batch_id = null, leaf_index = null where leaf = 'receipt:b'`,
      'the transaction': sql.unsafe`update anchor_attempts set hash = ${other}`,
      'the signed transaction': sql.unsafe`update anchor_attempts set raw = set_byte(raw, 40, (get_byte(raw, 40) + 1) % 256)`,
      'the height of the block': sql.unsafe`update anchor_attempts set block_number = block_number + 1`,
      'a height that no block has yet': sql.unsafe`update anchor_attempts set block_number = 1000000`,
      'the block': sql.unsafe`update anchor_attempts set block_hash = ${other}`,
      'the account': sql.unsafe`update anchor_attempts set address = '0x' || repeat('ab', 20)`,
      'the chain': sql.unsafe`update anchor_attempts set chain = 'eip155:1'`,
    };
    for (const table of ['anchor_batches', 'anchor_leaves', 'anchor_attempts']) {
      const [whole, kept] = [sql.identifier([table]), sql.identifier([`whole_${table}`])];
      await db.query(sql.unsafe`create table ${kept} as select * from ${whole}`);
    }
    const undo = [
      sql.unsafe`update anchor_batches b set root = w.root from whole_anchor_batches w where w.id = b.id`,
      sql.unsafe`update anchor_leaves l set root = w.root, batch_id = w.batch_id, leaf_index = w.leaf_index from whole_anchor_leaves w where w.leaf = l.leaf`,
      sql.unsafe`update anchor_attempts a set hash = w.hash, raw = w.raw, chain = w.chain, address = w.address,
      block_number = w.block_number, block_hash = w.block_hash from whole_anchor_attempts w where w.batch_id = a.batch_id`,
    ];
    const missed: string[] = [];
    for (const [name, forge] of Object.entries(forgeries)) {
      await db.query(forge);
      missed.push(...(await deceived()).map((face) => `${name}: ${face}`));
      for (const one of undo) await db.query(one);
    }
    expect(missed).toEqual([]);
    await expectWhole();
  },
);

test(
  'a whole, sealed and anchored receipt of another id in the place of this one is attested by none',
  patient,
  async () => {
    const { context } = api;
    const whole = await readReceipt(context, id);
    const { signer } = await sealKeysOf(context)();
    const { anchor: _, ...another } = await sealedReceipt(signer, 1, new Date().toISOString(), randomUUID());
    await context.db.transaction((tx) => putReceipt(tx, { owner: 'owner-1', kind: 'mission', receipt: another }));
    const [batch = ''] = await makeBatches(context);
    await tickBatch(context, batch);
    await chain.client.mine({ blocks: 3 });
    await tickBatch(context, batch);
    const rename = async (from: string, to: string) =>
      await context.db.query(
        sql.unsafe`update anchor_leaves set leaf = ${`receipt:${to}`} where leaf = ${`receipt:${from}`}`,
      );
    const { anchor: __, ...own } = whole as Receipt;
    await rename(id, 'aside');
    await rename(another.id, id);
    await store(another);
    // the other receipt holds by itself: it is its place alone that is wrong
    expect(verdictsOf(await anew())).toEqual(['fail', 'pass', 'pass']);
    expect(await deceived()).toEqual([]);
    expect((await onChainFaces['GET receipts/{id}/verify?onchain=1']?.())?.integrity.reason).toBe(
      `expected the receipt ${id}, which was requested, got that of ${another.id}.`,
    );
    expect((await api.app.inject(`/api/v1/receipts/${id}.dsse`)).statusCode).toBe(404);
    await rename(id, another.id);
    await rename('aside', id);
    await store(own);
    await expectWhole();
  },
);
