import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bits, element, integer, octets, oid, sequence, set, time, utf8, yes } from '#src/lib/crypto/der.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));

export interface CertificateRequest {
  readonly issuer: Uint8Array;
  /** Key pair of the issuer, on curve P-256. */
  readonly issuerKey: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly now: Date;
  readonly years: number;
  readonly extensions: readonly Uint8Array[];
}

/** A certificate of version 3 (RFC 5280), DER, from now on for so many years; both keys are named in it. */
export function issueCertificate({
  issuer,
  issuerKey,
  subject,
  publicKey,
  now,
  years,
  extensions,
}: CertificateRequest): Uint8Array {
  const body = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    // an hour for clocks that differ
    sequence(time(new Date(now.getTime() - HOUR_MS)), time(new Date(now.getTime() + years * YEAR_MS))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(
      0xa3,
      sequence(
        ...extensions,
        extension('2.5.29.14', false, octets(keyId(publicKey))),
        extension('2.5.29.35', false, sequence(element(0x80, keyId(issuerKey.publicKey)))),
      ),
    ),
  );
  return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, issuerKey.privateKey)));
}

/** A name for a key, not a proof (RFC 5280 §4.2.1.2 leaves open how it is made). */
function keyId(key: KeyObject): Uint8Array {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** An extension by its identifier; who does not know a critical one must refuse the certificate. */
export function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  return sequence(oid(id), ...(critical ? [yes] : []), octets(value));
}

/** A distinguished name. */
export const nameOf = (organisation: string, name: string): Uint8Array =>
  sequence(set(sequence(oid('2.5.4.10'), utf8(organisation))), set(sequence(oid('2.5.4.3'), utf8(name))));

export function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
