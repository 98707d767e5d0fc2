import { expect, test } from 'vitest';
import { addVersion, checkManifest, type KeyManifest, type SealKey } from '#src/receipts/format/key-manifest.ts';
import { parseReceipt } from '#src/receipts/verify/parse-strict.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchored, localRpc, manifestOf, sealedReceipt, startOfDay, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);
const lost = { revokedAt: '2026-11-21T13:00:00.000Z', reason: 'the key was copied' };

test('a whole receipt passes on three counts, and says how', async () => {
  const { receipt, answers } = await anchored(await sealedReceipt(key));
  const attestation = await verifyReceipt(receipt, trustIn(await manifestOf(key), [localRpc(answers)]));
  expect(attestation).toMatchObject({
    integrity: { verdict: 'pass', reason: '4 events form one unbroken chain, and the statement seals its end.' },
    authenticity: { verdict: 'pass', reason: `Sealed by key ${key.kid} while it was good.` },
    anchor: {
      verdict: 'pass',
      finality: 'safe',
      calldata: receipt.anchor?.root,
      equalsRoot: true,
      root: receipt.anchor?.root,
      inclusion: 'merkle',
      anchoredAt: '2026-11-21T12:00:10.000Z',
    },
  });
});

test('in a batch of one the calldata is the receipt’s root itself', async () => {
  const { receipt, answers } = await anchored(await sealedReceipt(key), { index: 0, size: 1 });
  const { anchor } = await verifyReceipt(receipt, trustIn(await manifestOf(key), [localRpc(answers)]));
  expect(anchor).toMatchObject({ verdict: 'pass', inclusion: 'direct', calldata: receipt.root, equalsRoot: true });
});

test('a receipt of 10,000 events is checked, and one event that is changed is named', { timeout: 60_000 }, async () => {
  const { receipt, answers } = await anchored(await sealedReceipt(key, 10_000));
  const trust = trustIn(await manifestOf(key), [localRpc(answers)]);
  const text = JSON.stringify(receipt);
  expect(await verifyReceipt(parseReceipt(text), trust)).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
    anchor: { verdict: 'pass' },
  });
  const changed = parseReceipt(text.replace('"step":"step-9998"', '"step":"step-9997"'));
  const { integrity } = await verifyReceipt(changed, trust);
  expect(integrity.verdict).toBe('fail');
  expect(integrity.reason).toMatch(/^event 9998: expected the hash/);
});

test.each([
  ['older than the loss', '2026-11-21T12:59:59.000Z', 'pass'],
  ['as old as the loss', '2026-11-21T13:00:00.000Z', 'fail'],
  ['younger than the loss', '2026-11-21T13:00:01.000Z', 'fail'],
])('the seal of a lost key counts by its anchor, not by the time it claims: %s', async (_name, blockTime, verdict) => {
  const { receipt, answers } = await anchored(await sealedReceipt(key), { blockTime });
  const trust = trustIn(await manifestOf(key, lost), [localRpc(answers)]);
  const { authenticity, anchor } = await verifyReceipt(receipt, trust);
  expect(anchor.verdict).toBe('pass');
  expect(authenticity.verdict).toBe(verdict);
  expect(authenticity.checks.at(-1)?.reason).toContain('revoked since 2026-11-21T13:00:00.000Z (the key was copied)');
});

test('the seal of a lost key does not pass while its anchor is not established', async () => {
  const sealed = await sealedReceipt(key);
  const { receipt } = await anchored(sealed);
  const trust = trustIn(await manifestOf(key, lost));
  expect((await verifyReceipt(receipt, trust)).authenticity.verdict).toBe('not-checked');
  expect((await verifyReceipt(sealed, trust)).authenticity.verdict).toBe('fail');
});

test.each<[string, Partial<SealKey>, string]>([
  ['before its key was in use', { nbf: '2026-11-21T12:00:00.001Z' }, 'expected a seal from 2026-11-21T12:00:00.001Z'],
  ['after its key was replaced', { exp: '2026-11-21T12:00:00.000Z' }, 'and before 2026-11-21T12:00:00.000Z'],
])('error: a seal from %s', async (_name, life, message) => {
  const { receipt, answers } = await anchored(await sealedReceipt(key));
  const first = { kid: key.kid, publicKey: key.publicKey, nbf: startOfDay, exp: null, revokedAt: null, reason: null };
  const { beginManifest } = await import('#src/receipts/format/key-manifest.ts');
  const trust = trustIn(await beginManifest({ ...first, ...life }, startOfDay, key), [localRpc(answers)]);
  const { authenticity } = await verifyReceipt(receipt, trust);
  expect(authenticity).toMatchObject({ verdict: 'fail', reason: expect.stringContaining(message) });
});

test('error: keys that are not known, not given, or not those they are called', async () => {
  const { receipt } = await anchored(await sealedReceipt(key));
  const [mine, others] = [await manifestOf(key), await manifestOf(testKey(2))];
  const mineIn = trustIn(mine);
  const verdictOf = async (jwks: unknown, manifest: unknown) =>
    (await verifyReceipt(receipt, { ...mineIn, jwks, manifest })).authenticity;
  const unknown = { verdict: 'fail', reason: expect.stringContaining(`unknown key id ${key.kid}`) };
  expect(await verdictOf(trustIn(others).jwks, others)).toMatchObject(unknown);
  expect(await verdictOf(null, others)).toMatchObject(unknown);
  expect(await verdictOf(trustIn(others).jwks, null)).toMatchObject(unknown);
  expect(await verdictOf(null, null)).toMatchObject({
    verdict: 'not-checked',
    reason: expect.stringContaining('No keys'),
  });
  expect(await verdictOf(mineIn.jwks, null)).toMatchObject({ verdict: 'not-checked' });
  expect(await verdictOf(null, mine)).toMatchObject({ verdict: 'pass' });
  const renamed = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: key.kid, x: testKey(2).publicKey }] };
  expect(await verdictOf(renamed, mine)).toMatchObject({
    verdict: 'fail',
    reason: expect.stringContaining('of its public key'),
  });
  expect(await verdictOf([], mine)).toMatchObject({ verdict: 'fail' });
  expect(await verdictOf(mineIn.jwks, { type: 'key-manifest/v1' })).toMatchObject({ verdict: 'fail' });
});

test('a manifest is believed only as it was sealed, version by version', async () => {
  const next = testKey(2);
  const one = await manifestOf(key);
  const [first] = one.versions.map(({ body }) => body.keys).flat();
  if (!first) throw new Error('no key');
  const second = { ...first, kid: next.kid, publicKey: next.publicKey };
  const two = await addVersion(one, [{ ...first, ...lost }, second], startOfDay, key);
  const three = await addVersion(two, [{ ...first, ...lost }, second], startOfDay, next);
  for (const good of [one, two, three]) expect(checkManifest(good)).toBeNull();
  const wrong: Record<string, KeyManifest> = {
    'sealed by the replaced key': await addVersion(two, [{ ...first, ...lost }, second], startOfDay, key),
    'key forgotten': await addVersion(two, [second], startOfDay, next),
    'key good again': await addVersion(two, [first, second], startOfDay, next),
    'revoked later': await addVersion(
      two,
      [{ ...first, ...lost, revokedAt: '2026-11-22T00:00:00.000Z' }, second],
      startOfDay,
      next,
    ),
    'key under another name': await addVersion(one, [first, { ...second, kid: testKey(3).kid }], startOfDay, key),
    'key twice': await addVersion(one, [first, first], startOfDay, key),
    'version left out': { ...three, versions: three.versions.toSpliced(1, 1) },
    'begun later': { ...three, versions: three.versions.slice(1) },
  };
  for (const [name, manifest] of Object.entries(wrong)) expect(checkManifest(manifest), name).not.toBeNull();
  for (const [index] of three.versions.entries()) {
    const text = JSON.stringify(three.versions[index]?.body);
    const changed = JSON.parse(
      text.replace(startOfDay, '2026-11-20T00:00:00.000Z'),
    ) as KeyManifest['versions'][0]['body'];
    const versions = three.versions.with(index, {
      ...three.versions[index],
      body: changed,
    } as KeyManifest['versions'][0]);
    expect(checkManifest({ ...three, versions }), `version ${index + 1}`).not.toBeNull();
  }
});

test('error: an account that does not anchor for this service, and a list that is not known', async () => {
  const { receipt, answers } = await anchored(await sealedReceipt(key));
  const trust = trustIn(await manifestOf(key), [localRpc(answers)]);
  const anchorBy = async (anchors: typeof trust.anchors) =>
    (await verifyReceipt(receipt, { ...trust, anchors })).anchor;
  expect(await anchorBy([])).toMatchObject({ verdict: 'fail', finality: null, anchoredAt: null });
  expect(await anchorBy([{ chain: 'eip155:8453', address: receipt.anchor?.from ?? '' }])).toMatchObject({
    verdict: 'fail',
  });
  expect(await anchorBy(null)).toMatchObject({ verdict: 'not-checked' });
});

test.each([[null], [[]], ['receipt'], [{}], [{ version: 'receipt/v2' }]])('error: %j is no receipt', async (value) => {
  const attestation = await verifyReceipt(value, trustIn(await manifestOf(key)));
  expect(attestation.integrity.verdict).toBe('fail');
  expect(attestation.authenticity.verdict).toBe('not-checked');
});
