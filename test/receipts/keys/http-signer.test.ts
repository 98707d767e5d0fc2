import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { base64urlOf } from '#src/lib/crypto/base64url.ts';
import { checkManifest, keysOf } from '#src/receipts/format/key-manifest.ts';
import type { Signer } from '#src/receipts/format/seal.ts';
import { rotateSealKey } from '#src/receipts/keys/rotate-seal-key.ts';
import { openSealKeys } from '#src/receipts/keys/seal-keys.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchored, localRpc, sealedReceipt, trustIn } from '#test/receipts/sample.ts';
import {
  breaks,
  gives,
  hangs,
  type Signing,
  signerServer,
  signsAnother,
  signsAsAnother,
} from '#test/receipts/signer-server.ts';

const token = 'token-of-the-signer';
const noon = new Date('2026-11-21T12:00:00.000Z');
const later = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

async function outside(...numbers: readonly number[]) {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'proofline-signer-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const server = stack.use(await signerServer(...numbers));
  const all = stack.move();
  const remote = (n = 0, timeoutMs = 60_000) => ({
    url: server.url,
    token,
    publicKey: server.keys[n]!.publicKey,
    timeoutMs,
  });
  const path = join(folder, 'seal-key.json');
  return { server, remote, path, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function verdictOf(signer: Signer, manifest: Parameters<typeof trustIn>[0], sealedAt = later(0.5)) {
  const { receipt, answers } = await anchored(await sealedReceipt(signer, 2, sealedAt.toISOString()));
  return (await verifyReceipt(receipt, trustIn(manifest, [localRpc(answers)]))).authenticity.verdict;
}

test('a signer outside seals the manifest and receipts; its key is published, and no file has a secret', async () => {
  await using here = await outside(1);
  const { signer, manifest } = await openSealKeys(here.path, () => noon, here.remote())();
  const [key] = here.server.keys;
  expect(checkManifest(manifest)).toBeNull();
  expect(keysOf(manifest)).toMatchObject([{ kid: key?.kid, publicKey: key?.publicKey }]);
  expect(await verdictOf(signer, manifest)).toBe('pass');
  const file = readFileSync(here.path, 'utf8');
  expect(Object.keys(JSON.parse(file))).toEqual(['manifest']);
  expect(file).not.toContain(base64urlOf(key!.secretKey));
  expect(statSync(here.path).mode & 0o777).toBe(0o600);
  expect(here.server.asked).toHaveLength(2);
  expect(here.server.asked[1]).toMatchObject({ path: '/keys/sign', authorization: `Bearer ${token}`, kid: key?.kid });
  // what is signed is the DSSE encoding: a signer can read what it signs
  const message = Buffer.from(here.server.asked[1]!.message, 'base64').toString();
  expect(message).toMatch(/^DSSEv1 28 application\/vnd\.in-toto\+json \d+ \{"_type":/);
});

const raw =
  (status: number, body: string, headers = {}): Signing =>
  (response) =>
    void response.writeHead(status, headers).end(body);

test.each<[string, Signing, string]>([
  ['a signature of another key', signsAsAnother, 'expected its signature of the message, got another'],
  ['a signature of another message', signsAnother, 'expected its signature of the message, got another'],
  ['a signature of zeros', gives(`${'A'.repeat(86)}==`), 'expected its signature of the message, got another'],
  ['another spelling', gives(`${'A'.repeat(85)}B==`), 'expected {"signature": 64 bytes in base64}'],
  ['too few bytes', gives('AAAA'), 'expected {"signature": 64 bytes in base64}'],
  ['no text', gives(7), 'expected {"signature": 64 bytes in base64}'],
  ['no JSON', raw(200, token), 'expected JSON, got something else'],
  ['too much', raw(200, JSON.stringify({ signature: 'x'.repeat(5_000) })), 'an answer of at most 4096 bytes'],
  ['a refusal', raw(403, token), 'expected status 200, got 403'],
  ['a failure', raw(500, token), 'expected status 200, got 500'],
  ['a redirect', raw(307, '', { location: '/keys/sign' }), 'expected status 200, got 307'],
  ['no connection', breaks, 'expected an answer, got no connection'],
])('error: a signer that answers with %s seals nothing, and is tried again', async (_what, answer, message) => {
  await using here = await outside(1);
  const open = openSealKeys(here.path, () => noon, here.remote());
  here.server.answersWith(answer);
  const failure = await open().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining(message) });
  expect(JSON.stringify(failure) + String(failure)).not.toContain(token);
  expect(statSync(here.path, { throwIfNoEntry: false })).toBeUndefined();
  expect(here.server.asked).toHaveLength(1);
});

test('error: a signer that does not answer in its time is left', async () => {
  await using here = await outside(1);
  await openSealKeys(here.path, () => noon, here.remote())();
  const { signer } = await openSealKeys(here.path, () => noon, here.remote(0, 50))();
  here.server.answersWith(hangs);
  await expect(sealedReceipt(signer)).rejects.toThrow('expected an answer, got none within 50 ms');
});

test('after a rotation a process that runs asks for the new key, and seals of both count', async () => {
  await using here = await outside(1, 2);
  const open = openSealKeys(here.path, () => noon, here.remote());
  const before = await open();
  const { retired, current } = await rotateSealKey(here.path, null, later(1), here.remote(1));
  expect([retired.kid, current.kid]).toEqual(here.server.keys.map(({ kid }) => kid));
  const after = await open();
  expect(after.signer.kid).toBe(current.kid);
  expect(checkManifest(after.manifest)).toBeNull();
  expect(await verdictOf(before.signer, after.manifest)).toBe('pass');
  expect(await verdictOf(after.signer, after.manifest, later(1.5))).toBe('pass');
  expect(Object.keys(JSON.parse(readFileSync(here.path, 'utf8')))).toEqual(['manifest']);
});

test('error: nothing changes when the next key is the old one, or does not sign', async () => {
  await using here = await outside(1, 2);
  await openSealKeys(here.path, () => noon, here.remote())();
  const file = readFileSync(here.path, 'utf8');
  const rotate = async (n: number) => await rotateSealKey(here.path, null, later(1), here.remote(n));
  await expect(rotate(0)).rejects.toMatchObject({ code: 'state_conflict' });
  const [old] = here.server.keys;
  here.server.answersWith((response, asked, keys) =>
    asked.kid === old?.kid ? signsAsAnother(response, asked, keys) : raw(404, '')(response, asked, keys),
  );
  await expect(rotate(1)).rejects.toThrow('expected status 200, got 404');
  expect(readFileSync(here.path, 'utf8')).toBe(file);
});

test('the key of a file retires in favour of a signer outside, and its secret is erased', async () => {
  await using here = await outside(1);
  const inFile = await openSealKeys(here.path, () => noon)();
  const { secretKey } = JSON.parse(readFileSync(here.path, 'utf8')) as { secretKey: string };
  const open = openSealKeys(here.path, () => noon, here.remote());
  const undecided = await open();
  expect(undecided.manifest).toEqual(inFile.manifest);
  await expect(sealedReceipt(undecided.signer)).rejects.toThrow('run `proofline key rotate-seal`');
  const lost = { kid: null, since: later(1), reason: 'the disk was copied' };
  await rotateSealKey(here.path, lost, later(1), here.remote());
  const { signer, manifest } = await open();
  expect(readFileSync(here.path, 'utf8')).not.toContain(secretKey);
  expect(keysOf(manifest).map(({ kid, revokedAt }) => [kid, revokedAt])).toEqual([
    [inFile.signer.kid, later(1).toISOString()],
    [here.server.keys[0]?.kid, null],
  ]);
  expect(await verdictOf(signer, manifest, later(1.5))).toBe('pass');
  // without the settings of the signer it still tells the keys, and seals nothing
  const bare = await openSealKeys(here.path)();
  expect(bare.manifest).toEqual(manifest);
  await expect(sealedReceipt(bare.signer)).rejects.toThrow('SEAL_SIGNER_URL');
});
