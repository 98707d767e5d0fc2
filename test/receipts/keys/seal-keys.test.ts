import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkManifest, keysOf } from '#src/receipts/format/key-manifest.ts';
import { rotateSealKey } from '#src/receipts/keys/rotate-seal-key.ts';
import { openSealKeys } from '#src/receipts/keys/seal-keys.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchored, localRpc, sealedReceipt, trustIn } from '#test/receipts/sample.ts';

function home() {
  const folder = mkdtempSync(join(tmpdir(), 'proofline-seal-'));
  return {
    path: join(folder, 'secrets', 'seal-key.json'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const noon = new Date('2026-11-21T12:00:00.000Z');
const later = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

test('the first use makes one key, which its owner alone may read, and all who ask get it', async () => {
  using here = home();
  const keys = await Promise.all(Array.from({ length: 5 }, async () => await openSealKeys(here.path)()));
  expect(new Set(keys.map(({ signer }) => signer.kid)).size).toBe(1);
  expect(statSync(here.path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(here.path, '..'))).toEqual(['seal-key.json']);
  expect(checkManifest(keys[0]?.manifest)).toBeNull();
});

test('after a rotation the next seal is by the new key, in processes that ran before; the old key is gone', async () => {
  using here = home();
  const open = openSealKeys(here.path, () => noon);
  const before = await open();
  const old = readFileSync(here.path, 'utf8');
  const { version, retired, current } = await rotateSealKey(here.path, null, later(1));
  const after = await open();
  expect({ version, kid: after.signer.kid }).toEqual({ version: 2, kid: current.kid });
  expect(retired).toMatchObject({ kid: before.signer.kid, revokedAt: null, exp: later(2).toISOString() });
  const { secretKey } = JSON.parse(old) as { secretKey: string };
  expect(readFileSync(here.path, 'utf8')).not.toContain(secretKey);
  expect(checkManifest(after.manifest)).toBeNull();
  expect(statSync(here.path).mode & 0o777).toBe(0o600);
  for (const [signer, sealedAt] of [
    [before.signer, later(1.5)],
    [after.signer, later(1.5)],
  ] as const) {
    const { receipt, answers } = await anchored(await sealedReceipt(signer, 2, sealedAt.toISOString()));
    const { authenticity } = await verifyReceipt(receipt, trustIn(after.manifest, [localRpc(answers)]));
    expect(authenticity).toMatchObject({ verdict: 'pass' });
  }
});

test('a key that others may have: its seals count where the anchor is older', async () => {
  using here = home();
  const open = openSealKeys(here.path, () => noon);
  const { signer } = await open();
  await rotateSealKey(here.path, { kid: null, since: later(1), reason: 'backup was copied' }, later(5));
  const { manifest } = await open();
  expect(keysOf(manifest).map(({ revokedAt }) => revokedAt)).toEqual([later(1).toISOString(), null]);
  const verdictAt = async (blockTime: Date) => {
    const sealed = await sealedReceipt(signer, 2, later(0.5).toISOString());
    const { receipt, answers } = await anchored(sealed, { blockTime: blockTime.toISOString() });
    return (await verifyReceipt(receipt, trustIn(manifest, [localRpc(answers)]))).authenticity.verdict;
  };
  expect(await verdictAt(later(0.9))).toBe('pass');
  // a thief may write any time into a seal, but not into a block
  expect(await verdictAt(later(3))).toBe('fail');
});

test('an older key can be revoked later, and stays revoked through further rotations', async () => {
  using here = home();
  const first = (await openSealKeys(here.path, () => noon)()).signer.kid;
  await rotateSealKey(here.path, null, later(1));
  await rotateSealKey(here.path, { kid: first, since: later(0.5), reason: 'old disk was sold' }, later(2));
  await rotateSealKey(here.path, null, later(3));
  const { manifest } = await openSealKeys(here.path)();
  expect(checkManifest(manifest)).toBeNull();
  expect(manifest.versions).toHaveLength(4);
  expect(keysOf(manifest)[0]).toMatchObject({
    kid: first,
    revokedAt: later(0.5).toISOString(),
    reason: 'old disk was sold',
  });
});

test('error: two rotations at once, and a key that is not known', async () => {
  using here = home();
  await openSealKeys(here.path)();
  writeFileSync(`${here.path}.rotating`, '1\n');
  await expect(rotateSealKey(here.path, null)).rejects.toThrow('Another rotation runs');
  rmSync(`${here.path}.rotating`);
  const unknown = { kid: 'x'.repeat(43), since: noon, reason: 'lost' };
  await expect(rotateSealKey(here.path, unknown)).rejects.toThrow('expected one of the keys of the manifest');
  await expect(rotateSealKey(here.path, null)).resolves.toMatchObject({ version: 2 });
});

test('error: a key file that others may read, or that is none, is not used and not told', async () => {
  using here = home();
  const open = openSealKeys(here.path);
  await open();
  chmodSync(here.path, 0o644);
  await expect(open()).rejects.toThrow('expected a file that its owner alone may read (mode 600), got mode 644');
  for (const text of ['{"secretKey":"AAAA"}', 'the-secret-itself', '{"secretKey":"AAAA","manifest":{}}']) {
    writeFileSync(here.path, text);
    chmodSync(here.path, 0o600);
    const failure = await open().catch((error: unknown) => String(error));
    expect(failure).toContain('expected a key and its manifest');
    expect(failure).not.toContain('the-secret-itself');
  }
});
