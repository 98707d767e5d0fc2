import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEdge } from '#src/http/edge/edge.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { openSealKeys } from '#src/receipts/keys/seal-keys.ts';
import { receiptRoutes } from '#src/receipts/routes/receipt-routes.ts';
import { sealKeyRoutes } from '#src/receipts/routes/seal-key-routes.ts';
import { parseReceipt } from '#src/receipts/verify/parse-strict.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';
import { chainEndpoint } from '#test/receipts/chain-endpoint.ts';
import { address, anchored, chain, localRpc, sealedReceipt } from '#test/receipts/sample.ts';

/** An API whose one receipt its own key has sealed, and the chain it is anchored on. */
async function api(settings: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'proofline-routes-'));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, 'seal-key.json');
  const { signer } = await openSealKeys(file, () => new Date('2026-11-21T00:00:00.000Z'))();
  const { receipt, answers } = await anchored(await sealedReceipt(signer));
  let calls = 0;
  const endpoint = stack.use(
    await chainEndpoint((call) => {
      calls += 1;
      return answers[call] ?? null;
    }),
  );
  const accounts = async () => [{ chain, address }];
  const readReceipt = async (_context: unknown, id: string): Promise<Receipt | null> =>
    id === receipt.id ? receipt : null;
  const { config } = stack.use(await testConfig({ SEAL_KEY_FILE: file, ...settings }));
  const context = stack.use(await openContext(config, 'api'));
  // these routes alone: whose receipts, accounts and chain they serve is theirs to be told
  const app = await openEdge(context);
  stack.defer(() => app.close());
  await app.register(sealKeyRoutes, { context, accounts });
  await app.register(receiptRoutes, { context, accounts, readReceipt, rpcUrls: () => [endpoint.url] });
  const all = stack.move();
  return { app, context, receipt, answers, calls: () => calls, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('a receipt is read without a key from any origin, and checks with what the service publishes', async () => {
  await using here = await api();
  const answer = await here.app.inject(`/api/v1/receipts/${here.receipt.id}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-cache',
    'content-type': 'application/json',
  });
  expect(answer.json()).toMatchObject({
    attestation: { integrity: { verdict: 'pass' }, anchor: { verdict: 'not-checked' } },
  });
  expect(parseReceipt(answer.body)).toEqual(here.receipt);
  const document = async (path: string): Promise<unknown> => {
    const read = await here.app.inject(path);
    expect(read.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' });
    return read.json();
  };
  const attestation = await verifyReceipt(parseReceipt(answer.body), {
    jwks: await document(trustPaths.jwks),
    manifest: await document(trustPaths.manifest),
    anchors: accountsIn(await document(trustPaths.anchors)),
    rpc: [localRpc(here.answers)],
  });
  const verdicts = [attestation.integrity, attestation.authenticity, attestation.anchor].map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['pass', 'pass', 'pass']);
  const keys = (await here.app.inject(trustPaths.jwks)).json();
  expect(keys).toEqual({
    keys: [
      { kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig', kid: here.receipt.seal.kid, x: expect.any(String) },
    ],
  });
});

test('onchain=1 reads the calldata back; the same question soon after costs the chain nothing', async () => {
  await using here = await api();
  const path = `/api/v1/receipts/${here.receipt.id}/verify`;
  expect((await here.app.inject(path)).json()).toMatchObject({ anchor: { verdict: 'not-checked', finality: null } });
  expect(here.calls()).toBe(0);
  const asked = (await here.app.inject(`${path}?onchain=1`)).json();
  expect(asked).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
    anchor: {
      verdict: 'pass',
      finality: 'safe',
      equalsRoot: true,
      inclusion: 'merkle',
      calldata: here.receipt.anchor?.root,
    },
  });
  const before = here.calls();
  expect(before).toBeGreaterThan(0);
  expect((await here.app.inject(`${path}?onchain=1`)).json()).toEqual(asked);
  expect(here.calls()).toBe(before);
});

test('look-ups on the chain are limited by address, other reads are not by them', async () => {
  await using here = await api({ ONCHAIN_PER_MINUTE: '2' });
  const path = `/api/v1/receipts/${here.receipt.id}/verify`;
  const statuses = [];
  for (const query of ['?onchain=1', '?onchain=1', '?onchain=1', ''])
    statuses.push((await here.app.inject(path + query)).statusCode);
  expect(statuses).toEqual([200, 200, 429, 200]);
});

test('an envelope has the sealed bytes', async () => {
  await using here = await api();
  const answer = await here.app.inject(`/api/v1/receipts/${here.receipt.id}.dsse`);
  expect(answer.statusCode).toBe(200);
  const { payload, signatures } = answer.json() as { payload: string; signatures: { keyid: string }[] };
  expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toEqual(here.receipt.statement);
  expect(signatures[0]?.keyid).toBe(here.receipt.seal.kid);
});

const unknown = '/api/v1/receipts/0198c0de-0000-7000-8000-00000000ffff';

test('error: what is not there, or asked for wrongly, is a problem that any origin can read', async () => {
  await using here = await api();
  const cases: readonly (readonly [path: string, status: number, code: string])[] = [
    [unknown, 404, 'not_found'],
    [`${unknown}/verify`, 404, 'not_found'],
    [`${unknown}.dsse`, 404, 'not_found'],
    ['/api/v1/receipts/rcp_3', 400, 'invalid_request'],
    [`/api/v1/receipts/${here.receipt.id}/verify?onchain=http://evil.example`, 400, 'invalid_request'],
  ];
  for (const [path, status, code] of cases) {
    const answer = await here.app.inject(path);
    expect(answer.json(), path).toMatchObject({ code, status });
    expect(answer.headers, path).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    });
  }
  expect(here.calls()).toBe(0);
});
