import { expect, test } from 'vitest';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchoredManifest, localRpc, manifestOf, sealedReceipt, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);
const receipt = await sealedReceipt(key);
const manifest = await manifestOf(key, { exp: '2026-11-22T00:00:00.000Z' });

/** Both versions of the manifest on one chain. */
async function onChain() {
  const { anchors, answers } = await anchoredManifest(receipt, manifest);
  return { anchors, rpc: localRpc(answers) };
}

async function checkOf(manifestAnchors: unknown, rpc = [] as Parameters<typeof trustIn>[1], of = manifest) {
  const { authenticity } = await verifyReceipt(receipt, { ...trustIn(of, rpc), manifestAnchors });
  return { ...authenticity.checks.find(({ name }) => name === 'manifest-anchor'), whole: authenticity.verdict };
}

test('the chain has every version: authenticity passes; without a chain to ask that is not checked', async () => {
  const { anchors, rpc } = await onChain();
  expect(await checkOf(anchors, [rpc])).toMatchObject({ verdict: 'pass', whole: 'pass' });
  expect(await checkOf(anchors)).toMatchObject({ verdict: 'not-checked', whole: 'not-checked' });
  expect(await checkOf(undefined, [rpc])).toEqual({ whole: 'pass' });
});

test('a version that is not anchored yet is pending, whether the document lists it or not', async () => {
  const { anchors, rpc } = await onChain();
  const [first, second] = anchors.versions;
  const pending = { verdict: 'pending', reason: 'Version 2 of the manifest is not anchored yet.', whole: 'pending' };
  expect(await checkOf({ versions: [first, { ...second, anchor: null }] }, [rpc])).toMatchObject(pending);
  expect(await checkOf({ versions: [first] }, [rpc])).toMatchObject(pending);
});

test('a manifest that is older than the listed versions is not believed to be whole, and it is said which are missing', async () => {
  const { anchors, rpc } = await onChain();
  const [first] = manifest.versions;
  if (!first) throw new Error('expected a version');
  // a copy from before the second version, which the chain has
  const old = { ...manifest, versions: [first] };
  expect(await checkOf(anchors, [rpc], old)).toMatchObject({
    verdict: 'not-checked',
    whole: 'not-checked',
    reason: expect.stringMatching(
      /^The manifest anchors list version 2, which .* \(its newest is 1\): it is out of date/,
    ),
  });
  const [one, two] = anchors.versions;
  const later = [3, 4].map((version) => ({ version, root: `0x${'0f'.repeat(32)}`, anchor: null }));
  expect(await checkOf({ versions: [one, two, ...later] }, [rpc])).toMatchObject({
    verdict: 'not-checked',
    reason: expect.stringContaining('list version 3, 4, which'),
  });
  // what is wrong weighs more than what is missing
  expect(await checkOf({ versions: [one, { ...two, root: later[0]?.root }, ...later] }, [rpc])).toMatchObject({
    verdict: 'fail',
  });
});

test('error: anchors of another manifest, of another account, or no document', async () => {
  const { anchors, rpc } = await onChain();
  const [first, second] = anchors.versions;
  const failed = { verdict: 'fail', whole: 'fail' };
  // what the document says of roots must be what our own copy has
  const forged = await manifestOf(key, { exp: '2026-11-23T00:00:00.000Z' });
  expect(await checkOf(anchors, [rpc], forged)).toMatchObject({
    ...failed,
    reason: expect.stringMatching(/^Version 2 of the manifest: expected its root 0x[0-9a-f]{64} to be listed, got 0x/),
  });
  // the anchor is right, and what is said of it is not
  const other = `0x${'0f'.repeat(32)}`;
  expect(await checkOf({ versions: [first, { ...second, root: other }] }, [rpc])).toMatchObject({
    ...failed,
    reason: expect.stringContaining(`got ${other}`),
  });
  expect(await checkOf({ versions: [first, { ...second, root: other, anchor: null }] }, [rpc])).toMatchObject(failed);
  expect(await checkOf({ versions: [first, second, second] }, [rpc])).toMatchObject({
    ...failed,
    reason: expect.stringContaining('every version once'),
  });
  // and the root of our own copy must fold to what the chain has
  const elsewhere = { ...second, anchor: { ...second?.anchor, proof: { ...second?.anchor?.proof, index: 0 } } };
  expect(await checkOf({ versions: [first, elsewhere] }, [rpc])).toMatchObject({
    ...failed,
    reason: expect.stringMatching(/^Version 2 of the manifest: expected the root to fold to/),
  });
  const swapped = [
    { ...first, anchor: second?.anchor },
    { ...second, anchor: first?.anchor },
  ];
  expect(await checkOf({ versions: swapped }, [rpc])).toMatchObject(failed);
  expect(await checkOf({ versions: [{ ...first, more: 1 }, second] }, [rpc])).toMatchObject(failed);
  expect(await checkOf({}, [rpc])).toMatchObject(failed);
  const { authenticity } = await verifyReceipt(receipt, {
    ...trustIn(manifest, [rpc]),
    anchors: [],
    manifestAnchors: anchors,
  });
  expect(authenticity).toMatchObject({ verdict: 'fail', reason: expect.stringContaining('expected an account') });
});
