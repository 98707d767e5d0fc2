import { bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { isPublicKey } from '#src/lib/crypto/ed25519.ts';
import { checkManifest, type KeyManifest, keysOf, type SealKey } from '#src/receipts/format/key-manifest.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { verifySeal } from '#src/receipts/format/seal.ts';
import { type Check, type Count, checked, countOf } from './check.ts';
import { readJwks } from './read-jwks.ts';

export interface KeyTrust {
  /** A JSON Web Key Set; where it is given, the key must be in it. */
  readonly jwks: unknown;
  /** A key manifest: since when and until when keys were good. */
  readonly manifest: unknown;
}

/**
 * Checks whether a key of this service sealed the statement while it was good.
 *
 * @param anchoredAt time of the block that holds the anchor, RFC 3339, if that was established. The time inside a
 *   receipt is what its sealer says, so it cannot show that a seal is older than the loss of its key; a block can.
 */
export function checkAuthenticity(receipt: Receipt, trust: KeyTrust, anchoredAt: string | null): Count {
  const { statement, seal } = receipt;
  const key = findKey(seal.kid, trust);
  if ('verdict' in key) return countOf([key], '');
  const isSealed = verifySeal(statement, seal, key.publicKey);
  const checks: Check[] = [
    { name: 'key', verdict: 'pass', reason: `Key ${seal.kid} is one of the published keys.` },
    checked(
      'seal',
      isSealed ? null : `the seal is not that of key ${seal.kid} over this statement.`,
      'The seal is that of the key over this statement.',
    ),
  ];
  if (key.life === null) {
    const reason = 'Whether the key was revoked is not known: no key manifest was given.';
    return countOf([...checks, { name: 'validity', verdict: 'not-checked', reason }], '');
  }
  const validity = [
    checkPeriod(statement.predicate.sealedAt, key.life),
    checkRevocation(receipt, key.life, anchoredAt),
  ];
  return countOf([...checks, ...validity], `Sealed by key ${seal.kid} while it was good.`);
}

type Found = { readonly publicKey: string; readonly life: SealKey | null };

function findKey(kid: string, { jwks, manifest }: KeyTrust): Found | Check {
  const wrong = (reason: string): Check => ({ name: 'key', verdict: 'fail', reason });
  if (jwks === null && manifest === null) {
    return { name: 'key', verdict: 'not-checked', reason: 'No keys were given to check the seal with.' };
  }
  const whyNot = manifest === null ? null : checkManifest(manifest);
  if (whyNot !== null) return wrong(whyNot);
  const published = jwks === null ? null : readJwks(jwks, kid);
  if (typeof published === 'string') return wrong(published);
  const life = manifest === null ? null : keysOf(manifest as KeyManifest).find((key) => key.kid === kid);
  if (life === undefined) return wrong(`expected a key of the manifest, got the unknown key id ${kid}.`);
  const publicKey = published?.x ?? life?.publicKey;
  // both name the key by its thumbprint, so that one id is one key
  if (publicKey === undefined) return wrong(`expected a published key, got ${kid}.`);
  // of any other point, verifiers do not agree what its signatures are
  if (!isPublicKey(bytesOfBase64url(publicKey)))
    return wrong(`expected the public key of ${kid} to be a point of prime order, got another one.`);
  return { publicKey, life };
}

function checkPeriod(sealedAt: string, { nbf, exp }: SealKey): Check {
  const isWithin = sealedAt >= nbf && (exp === null || sealedAt < exp);
  const until = exp === null ? '' : ` and before ${exp}`;
  const why = isWithin ? null : `expected a seal from ${nbf} on${until}, when the key sealed, got one of ${sealedAt}.`;
  return checked('validity', why, `Sealed at ${sealedAt}, when the key was in use.`);
}

function checkRevocation(receipt: Receipt, { revokedAt, reason }: SealKey, anchoredAt: string | null): Check {
  const name = 'revocation';
  if (revokedAt === null) return { name, verdict: 'pass', reason: 'The key was never revoked.' };
  const revoked = `The key is revoked since ${revokedAt} (${reason ?? 'no reason given'})`;
  if (receipt.anchor === null) {
    return { name, verdict: 'fail', reason: `${revoked}, and no anchor shows that the seal is older.` };
  }
  if (anchoredAt === null) {
    return { name, verdict: 'not-checked', reason: `${revoked}; whether the anchor is older was not established.` };
  }
  const why = anchoredAt < revokedAt ? null : `${revoked}; expected an older anchor, got one of ${anchoredAt}.`;
  return checked(name, why, `${revoked}; the receipt was anchored before, at ${anchoredAt}.`);
}
