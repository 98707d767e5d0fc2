import { createPrivateKey, sign as nodeSign } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, FlattenedSign, importJWK } from 'jose';
import { expect, test } from 'vitest';
import { base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { isSignatureOf, publicKeyOf, signatureOf } from '#src/lib/crypto/ed25519.ts';
import { bytesOfHex, hexOf } from '#src/lib/crypto/hex.ts';
import { jwkOf, thumbprintOf } from '#src/receipts/format/jwk.ts';
import type { Statement } from '#src/receipts/format/receipt-schema.ts';
import { saltedHash } from '#src/receipts/format/salted.ts';
import { dsseOf, paeOf, sealStatement, verifySeal } from '#src/receipts/format/seal.ts';
import { sealedReceipt, testKey } from '#test/receipts/sample.ts';
import vectors from '#test/vectors/receipts/rfc8032-section-7.1.json' with { type: 'json' };

test.each(vectors.tests)('RFC 8032 section 7.1: $name', ({ sk, pk, msg, sig }) => {
  expect(hexOf(publicKeyOf(bytesOfHex(sk)))).toBe(pk);
  expect(hexOf(signatureOf(bytesOfHex(msg), bytesOfHex(sk)))).toBe(sig);
  expect(isSignatureOf(bytesOfHex(sig), bytesOfHex(msg), bytesOfHex(pk))).toBe(true);
  const changed = bytesOfHex(sig);
  changed[63] = (changed[63] ?? 0) ^ 1;
  expect(isSignatureOf(changed, bytesOfHex(msg), bytesOfHex(pk))).toBe(false);
  expect(isSignatureOf(bytesOfHex(sig), bytesOfHex(`${msg}00`), bytesOfHex(pk))).toBe(false);
});

test('bytes that are no signature, or no key, are no signature of anything', () => {
  const message = new Uint8Array(3);
  expect(isSignatureOf(new Uint8Array(63), message, new Uint8Array(32))).toBe(false);
  expect(isSignatureOf(new Uint8Array(64), message, new Uint8Array(31))).toBe(false);
  // a key of small order would accept this under looser rules
  const smallOrder = new Uint8Array(32).fill(0, 0, 32);
  smallOrder[0] = 1;
  const loose = new Uint8Array(64);
  loose[0] = 1;
  expect(isSignatureOf(loose, message, smallOrder)).toBe(false);
});

test('RFC 8037 A.3: the thumbprint of a key; another library makes the same of ours', async () => {
  const published = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(jwkOf(published).kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  const { publicKey, kid } = testKey(3);
  expect(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: publicKey })).toBe(kid);
  expect(() => jwkOf('AAAA')).toThrow('expected 32 bytes, got 3');
  expect(thumbprintOf(bytesOfBase64url(publicKey))).toBe(kid);
});

test('a published key verifies in another library what the same key signs', async () => {
  const { publicKey, secretKey } = testKey(3);
  const jwk = jwkOf(publicKey);
  const secret = await importJWK({ ...jwk, d: base64urlOf(secretKey) }, 'Ed25519');
  const jws = await new FlattenedSign(new Uint8Array([1, 2])).setProtectedHeader({ alg: 'Ed25519' }).sign(secret);
  const message = new TextEncoder().encode(`${jws.protected}.${jws.payload}`);
  expect(isSignatureOf(bytesOfBase64url(jws.signature), message, bytesOfBase64url(publicKey))).toBe(true);
  const compact = `${jws.protected}.${jws.payload}.${jws.signature}`;
  expect((await compactVerify(compact, await importJWK({ ...jwk }, 'Ed25519'))).payload).toEqual(
    new Uint8Array([1, 2]),
  );
});

test('the pre-authentication encoding is that of the DSSE protocol’s example', () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const expected = 'DSSEv1 29 http://example.com/HelloWorld 11 hello world';
  expect(new TextDecoder().decode(paeOf('http://example.com/HelloWorld', text('hello world')))).toBe(expected);
  // lengths are of bytes, not of characters
  expect(new TextDecoder().decode(paeOf('ä', text('ö')))).toBe('DSSEv1 2 ä 2 ö');
});

/** As a key management service would: the key stays inside, and bytes go in and out. */
function serviceSigner(number: number) {
  const { secretKey, kid, publicKey } = testKey(number);
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secretKey]);
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return { kid, publicKey, sign: async (bytes: Uint8Array) => nodeSign(null, bytes, key) };
}

test('a signer of another make seals; the seal is its key’s over this statement alone', async () => {
  const signer = serviceSigner(4);
  const { statement, seal } = await sealedReceipt(signer);
  expect(verifySeal(statement, seal, signer.publicKey)).toBe(true);
  expect(verifySeal(statement, seal, testKey(5).publicKey)).toBe(false);
  const other: Statement = { ...statement, predicate: { ...statement.predicate, outcome: 'failed' } };
  expect(verifySeal(other, seal, signer.publicKey)).toBe(false);
});

test('error: what is no statement is never signed, and what is no signature is no seal', async () => {
  const { statement } = await sealedReceipt(testKey(1));
  const strange = { ...statement, more: 1 } as Statement;
  await expect(sealStatement(strange, testKey(1))).rejects.toThrow('it was not sealed');
  const broken = { kid: testKey(1).kid, sign: async () => new Uint8Array(3) };
  await expect(sealStatement(statement, broken)).rejects.toThrow('expected a signature of 64 bytes, got 3');
});

test('an exported envelope carries the bytes that were sealed', async () => {
  const key = testKey(1);
  const { statement, seal } = await sealedReceipt(key);
  const { payload, payloadType, signatures } = dsseOf({ statement, seal });
  const body = Buffer.from(payload, 'base64');
  expect(JSON.parse(body.toString())).toEqual(statement);
  const signature = Buffer.from(signatures[0]?.sig ?? '', 'base64');
  expect(isSignatureOf(signature, paeOf(payloadType, body), bytesOfBase64url(key.publicKey))).toBe(true);
});

test('a salted hash tells nothing without its salt, and takes no short one', () => {
  const salt = new Uint8Array(16).fill(7);
  expect(saltedHash({ b: 0.5, a: 'x' }, salt)).toBe(saltedHash({ a: 'x', b: 0.5 }, salt));
  expect(saltedHash('x', salt)).not.toBe(saltedHash('x', new Uint8Array(16)));
  expect(() => saltedHash('x', new Uint8Array(15))).toThrow('expected a salt of at least 16 bytes, got 15');
});
