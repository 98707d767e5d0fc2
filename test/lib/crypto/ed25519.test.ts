import { createHash, createPublicKey, verify as verifyByOpenssl } from 'node:crypto';
import { Point, verify as verifyByLibrary } from '@noble/ed25519';
import { expect, test } from 'vitest';
import { isPublicKey, isSignatureOf, newSecretKey, publicKeyOf, signatureOf } from '#src/lib/crypto/ed25519.ts';
import { bytesOfHex, hexOf } from '#src/lib/crypto/hex.ts';
import vectors from '#test/vectors/ed25519/cctv-excerpt.json' with { type: 'json' };

/** Order of the base point. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;
/** A point of order 8, and the neutral one. */
const torsion = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05';
const neutral = `01${'00'.repeat(31)}`;

const utf8 = (text: string) => new TextEncoder().encode(text);

function openssl(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verifyByOpenssl(null, message, createPublicKey({ key, format: 'jwk' }), signature);
}

test('the public edge cases: one signature without any edge counts, and whatever OpenSSL refuses is refused', () => {
  expect(vectors.length).toBe(166);
  const accepted = vectors.filter(({ key, sig, msg }) => {
    const [signature, message, publicKey] = [bytesOfHex(sig), utf8(msg), bytesOfHex(key)];
    const counts = isSignatureOf(signature, message, publicKey);
    if (counts) expect(openssl(signature, message, publicKey)).toBe(true);
    return counts;
  });
  expect(accepted.map(({ flags }) => flags)).toEqual([[]]);
});

test('the edge cases reach what they are for: the library alone takes some that OpenSSL refuses, and the reverse', () => {
  const by = vectors.map(({ key, sig, msg }) => {
    const [signature, message, publicKey] = [bytesOfHex(sig), utf8(msg), bytesOfHex(key)];
    return [verifyByLibrary(signature, message, publicKey, { zip215: false }), openssl(signature, message, publicKey)];
  });
  expect(by.filter(([library, other]) => library && !other).length).toBeGreaterThan(0);
  expect(by.filter(([, other]) => other).length).toBeGreaterThan(40);
});

const littleEndian = (value: bigint) => bytesOfHex(value.toString(16).padStart(64, '0')).toReversed();
const numberOf = (bytes: Uint8Array) => BigInt(`0x${hexOf(bytes.toReversed())}`);

/** A signature of a dishonest signer, whose key and R are not of prime order; `cancels` where the torsion parts do. */
function dishonest(parts: { readonly ofKey: bigint; readonly ofR: bigint }, cancels: boolean) {
  const T = Point.fromHex(torsion);
  const [secret, nonce] = [numberOf(newSecretKey()) % order, numberOf(newSecretKey()) % order];
  const withPart = (point: Point, part: bigint) => (part === 0n ? point : point.add(T.multiply(part, false)));
  const publicKey = withPart(Point.BASE.multiply(secret), parts.ofKey).toBytes();
  const R = withPart(Point.BASE.multiply(nonce), parts.ofR).toBytes();
  for (let number = 0; ; number += 1) {
    const message = utf8(`receipt ${number}`);
    const digest = createHash('sha512').update(R).update(publicKey).update(message).digest();
    const k = numberOf(digest) % order;
    const isCancelled = (parts.ofR + k * parts.ofKey) % 8n === 0n;
    if (isCancelled !== cancels) continue;
    const signature = new Uint8Array(64);
    signature.set(R);
    signature.set(littleEndian((nonce + k * secret) % order), 32);
    return { publicKey, signature, message };
  }
}

test.each([
  [{ ofKey: 1n, ofR: 0n }, false],
  [{ ofKey: 0n, ofR: 1n }, false],
  [{ ofKey: 4n, ofR: 0n }, false],
  [{ ofKey: 1n, ofR: 0n }, true],
  [{ ofKey: 2n, ofR: 2n }, true],
])(
  'a key or a signature with a torsion part (%o, which cancels: %s) is refused, by whichever equation it holds',
  (parts, cancels) => {
    const { publicKey, signature, message } = dishonest(parts, cancels);
    // the case that was found: with the cofactor it holds, without it holds only where the parts cancel
    expect(verifyByLibrary(signature, message, publicKey, { zip215: false })).toBe(true);
    expect(openssl(signature, message, publicKey)).toBe(cancels);
    expect(isSignatureOf(signature, message, publicKey)).toBe(false);
    expect(isPublicKey(publicKey)).toBe(parts.ofKey === 0n);
  },
);

test('property: an honest signature counts here and for OpenSSL; one that is changed in any byte for neither', () => {
  for (let round = 0; round < 8; round += 1) {
    const secret = newSecretKey();
    const publicKey = publicKeyOf(secret);
    const message = utf8(`message ${round}`);
    const signature = signatureOf(message, secret);
    expect(isPublicKey(publicKey)).toBe(true);
    expect([isSignatureOf(signature, message, publicKey), openssl(signature, message, publicKey)]).toEqual([
      true,
      true,
    ]);
    const at = (round * 9) % 64;
    const changed = signature.with(at, (signature[at] ?? 0) ^ 1);
    expect([isSignatureOf(changed, message, publicKey), openssl(changed, message, publicKey)]).toEqual([false, false]);
  }
});

test('error: S at or beyond the order, small orders, other spellings, wrong lengths', () => {
  const secret = newSecretKey();
  const publicKey = publicKeyOf(secret);
  const message = utf8('message');
  const signature = signatureOf(message, secret);
  const grown = Uint8Array.from(signature);
  grown.set(littleEndian(numberOf(signature.subarray(32)) + order), 32);
  const withR = (hex: string) => Uint8Array.from([...bytesOfHex(hex), ...signature.subarray(32)]);
  const cases: readonly (readonly [Uint8Array, Uint8Array])[] = [
    [grown, publicKey],
    [withR(neutral), publicKey],
    [withR(torsion), publicKey],
    [withR('00'.repeat(32)), publicKey],
    [signature, bytesOfHex(neutral)],
    [signature, bytesOfHex(torsion)],
    [signature, bytesOfHex('ff'.repeat(32))],
    [signature.subarray(1), publicKey],
    [signature, publicKey.subarray(1)],
    [new Uint8Array(0), publicKey],
  ];
  for (const [one, key] of cases) expect(isSignatureOf(one, message, key)).toBe(false);
  // S = 0 and R = the neutral point: what a key of small order makes of any message
  const forged = Uint8Array.from([...bytesOfHex(neutral), ...new Uint8Array(32)]);
  for (const key of [neutral, torsion, '00'.repeat(32)]) {
    expect([key, isSignatureOf(forged, message, bytesOfHex(key)), isPublicKey(bytesOfHex(key))]).toEqual([
      key,
      false,
      false,
    ]);
  }
});
