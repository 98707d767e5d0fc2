import { join } from 'node:path';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Hex } from 'viem';
import { expect, test, vi } from 'vitest';
import { bytesOfHex, prefixedHexOf } from '#src/lib/crypto/hex.ts';
import { foldInclusion, leafHash } from '#src/lib/crypto/merkle.ts';
import { httpRpc } from '#src/lib/json-rpc.ts';
import { makeBatches } from '#src/receipts/anchor/make-batches.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import { rotateSealKey } from '#src/receipts/keys/rotate-seal-key.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { putManifest, startManifestAnchors } from '#src/receipts/manifest-anchors.ts';
import type { ManifestAnchors } from '#src/receipts/verify/manifest-anchors-schema.ts';
import { accountsIn, trustPaths } from '#src/receipts/verify/read-trust.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { testChain } from '#test/helpers/servers/anvil.ts';
import { testApi } from '#test/http/api.ts';
import { putLeaves } from './anchored.ts';
import { manifestOf, sealedReceipt, testKey } from './sample.ts';

const leafRow = row(Type.Object({ leaf: Type.String() }));

async function service() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  const chain = stack.use(await testChain());
  const file = join(folder.path, 'seal-key.json');
  const { context, app } = stack.use(await testApi({ ...chain.settings, SEAL_KEY_FILE: file }));
  const all = stack.move();
  const leaves = async () =>
    (await context.db.any(sql.type(leafRow)`select leaf from anchor_leaves order by leaf`)).map(({ leaf }) => leaf);
  return {
    context,
    chain,
    file,
    leaves,
    /** Once the outbox has this leaf. */
    waitsFor: async (leaf: string) =>
      await vi.waitUntil(async () => (await leaves()).includes(leaf), { timeout: 60_000 }),
    /** Anchors all that waits, in a block of its own. */
    anchor: async () => {
      const ids = await makeBatches(context);
      for (const id of ids) await tickBatch(context, id);
      await chain.client.mine({ blocks: 1 });
      for (const id of ids) await tickBatch(context, id);
    },
    document: async (path: string): Promise<unknown> => {
      const answer = await app.inject(path);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' });
      return answer.json();
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('every version of the manifest is anchored, at the start and after a rotation; its proof folds to the calldata', async () => {
  await using here = await service();
  startManifestAnchors(here.context);
  await here.waitsFor('manifest:1');
  expect(await here.document(trustPaths.manifestAnchors)).toMatchObject({ versions: [{ version: 1, anchor: null }] });
  await here.anchor();
  await rotateSealKey(here.file, null);
  await here.waitsFor('manifest:2');
  // not alone in its batch, so that there is a path to fold
  await putLeaves(here.context, ['receipt:a', 'receipt:b']);
  await here.anchor();

  const { manifest, signer } = await sealKeysOf(here.context)();
  const { versions } = (await here.document(trustPaths.manifestAnchors)) as ManifestAnchors;
  expect(versions.map(({ version, anchor }) => [version, anchor?.proof.size])).toEqual([
    [1, 1],
    [2, 3],
  ]);
  for (const [at, { root, anchor }] of versions.entries()) {
    // members of a version stand in another order than canonically, and their values are plain: sorted, they are canonical
    const body = manifest.versions[at]!.body;
    const canonical = JSON.stringify(sorted(body));
    expect(root).toBe(prefixedHexOf(leafHash(new TextEncoder().encode(canonical))));
    const { index, size, path } = anchor!.proof;
    const folded = foldInclusion(bytesOfHex(root), index, size, path.map(bytesOfHex));
    const { input } = await here.chain.client.getTransaction({ hash: anchor!.tx as Hex });
    expect(folded && prefixedHexOf(folded)).toBe(input);
  }

  const receipt = await sealedReceipt(signer, 2, new Date().toISOString());
  const trust = {
    jwks: await here.document(trustPaths.jwks),
    manifest: await here.document(trustPaths.manifest),
    anchors: accountsIn(await here.document(trustPaths.anchors)),
    manifestAnchors: { versions },
    rpc: [httpRpc(here.chain.anvil.url)],
  };
  const { authenticity } = await verifyReceipt(receipt, trust);
  expect(authenticity).toMatchObject({ verdict: 'pass' });
  expect(authenticity.checks.at(-1)).toEqual({
    name: 'manifest-anchor',
    verdict: 'pass',
    reason: 'The chain has every version of the manifest (2).',
  });
});

test('error: a manifest that is not the anchored one is not put, and what was put stays', async () => {
  await using here = await service();
  const first = await manifestOf(testKey(1));
  await putManifest(here.context, first);
  await putManifest(here.context, first);
  const other = await manifestOf(testKey(2), { exp: '2026-11-22T00:00:00.000Z' });
  await expect(putManifest(here.context, other)).rejects.toMatchObject({ code: 'state_conflict' });
  expect(await here.leaves()).toEqual(['manifest:1']);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
