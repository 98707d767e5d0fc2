import { Point } from '@noble/ed25519';
import { expect, test } from 'vitest';
import { base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { jwkOf } from '#src/receipts/format/jwk.ts';
import { beginManifest } from '#src/receipts/format/key-manifest.ts';
import { readJwks } from '#src/receipts/verify/read-jwks.ts';
import { verifyReceipt } from '#src/receipts/verify/verify.ts';
import { anchored, manifestOf, sealedReceipt, startOfDay, testKey, trustIn } from '#test/receipts/sample.ts';

const key = testKey(1);
const jwk = jwkOf(key.publicKey);
const { alg: _, use: __, ...bare } = jwk;
const other = jwkOf(testKey(2).publicKey);

const verdictOf = async (jwks: unknown) => {
  const { receipt } = await anchored(await sealedReceipt(key));
  return (await verifyReceipt(receipt, { ...trustIn(await manifestOf(key)), jwks })).authenticity;
};

test.each<[string, readonly unknown[]]>([
  ['as this service publishes it', [jwk]],
  ['that says nothing of its use', [bare]],
  ['of the older name of its algorithm', [{ ...jwk, alg: 'EdDSA' }]],
  ['with its operations', [{ ...bare, key_ops: ['verify'] }]],
  ['beside a post-quantum key', [{ kty: 'AKP', kid: 'ml', alg: 'ML-DSA-65', pub: 'AA' }, jwk]],
  ['among others', [other, jwk, { kty: 'RSA', kid: 'rsa', n: 'AQAB', e: 'AQAB', use: 'enc' }]],
  ['beside keys without an id', [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, jwk]],
  ['with members that others add', [{ ...jwk, iat: 7, x5c: [] }]],
])('a key %s is read', async (_name, keys) => {
  expect(readJwks({ keys }, key.kid)).toMatchObject({ x: key.publicKey });
  expect(await verdictOf({ keys })).toMatchObject({ verdict: 'pass' });
});

test.each<[string, readonly unknown[], string]>([
  ['for encryption', [{ ...jwk, use: 'enc' }], 'expected use of'],
  ['of another algorithm', [{ ...jwk, alg: 'ES256' }], 'expected alg of'],
  ['of the prehashed algorithm', [{ ...jwk, alg: 'Ed25519ph' }], 'expected alg of'],
  ['with an algorithm that is no text', [{ ...jwk, alg: null }], 'expected alg of'],
  ['that does not verify', [{ ...bare, key_ops: ['sign'] }], 'expected key_ops of'],
  ['for no operation', [{ ...bare, key_ops: [] }], 'expected key_ops of'],
  ['whose operations are no list', [{ ...bare, key_ops: 'verify' }], 'expected key_ops of'],
  ['with an operation twice', [{ ...bare, key_ops: ['verify', 'verify'] }], 'expected key_ops of'],
  ['with another operation twice', [{ ...bare, key_ops: ['sign', 'verify', 'sign'] }], 'expected key_ops of'],
  ['of another curve', [{ ...jwk, crv: 'Ed448' }], 'expected crv of'],
  ['of another kind', [{ ...jwk, kty: 'EC' }], 'expected kty of'],
  ['with its secret', [{ ...jwk, d: base64urlOf(key.secretKey) }], 'the private member d'],
  ['beside another’s secret', [jwk, { ...other, d: 'AA' }], 'the private member d'],
  ['beside a symmetric key', [jwk, { kty: 'oct', kid: 'shared', k: 'AA' }], 'the private member k'],
  [
    'beside a post-quantum secret',
    [jwk, { kty: 'AKP', kid: 'ml', alg: 'ML-DSA-65', pub: 'AA', priv: 'AA' }],
    'the private member priv',
  ],
  ['with a secret of another kind', [{ ...jwk, priv: 'AA' }], 'the private member priv'],
  ['twice', [jwk, jwk], 'every key id once'],
  ['twice, and the second is another', [jwk, { ...other, kid: key.kid }], 'every key id once'],
  ['twice, and the first cannot be used', [{ ...jwk, use: 'enc' }, jwk], 'every key id once'],
  ['beside others of one id', [jwk, other, other], 'every key id once'],
  ['beside what is no key', [jwk, 'key'], 'expected keys that are objects'],
  ['without its bytes', [{ ...jwk, x: 7 }], 'expected x of'],
  ['with other bytes', [{ ...jwk, x: other.x }], 'of its public key'],
  ['in another spelling', [{ ...jwk, x: `${key.publicKey}=` }], 'key set: '],
  ['of another id', [other], 'unknown key id'],
])('error: a key %s is refused', async (_name, keys, said) => {
  expect(await verdictOf({ keys })).toMatchObject({ verdict: 'fail', reason: expect.stringContaining(said) });
});

test('error: a published key with a torsion part is no key, in a key set and in a manifest', async () => {
  const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
  const point = Point.fromBytes(bytesOfBase64url(key.publicKey)).add(torsion);
  const publicKey = base64urlOf(point.toBytes());
  const { kid } = jwkOf(publicKey);
  const dishonest = { ...key, kid, publicKey };
  const { receipt } = await anchored(await sealedReceipt(dishonest));
  const life = { kid, publicKey, nbf: startOfDay, exp: null, revokedAt: null, reason: null };
  const manifest = await beginManifest(life, startOfDay, dishonest);
  const trust = trustIn(await manifestOf(key));
  const byKeys = await verifyReceipt(receipt, { ...trust, jwks: { keys: [jwkOf(publicKey)] }, manifest: null });
  expect(byKeys.authenticity).toMatchObject({
    verdict: 'fail',
    reason: expect.stringContaining('expected the public key of'),
  });
  const byManifest = await verifyReceipt(receipt, { ...trust, jwks: null, manifest });
  expect(byManifest.authenticity).toMatchObject({ verdict: 'fail' });
});
