import { type KeyObject, randomBytes } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  type Extension,
  Name,
  PublicKey,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const p256 = { name: 'ECDSA', namedCurve: 'P-256' };

export interface CertificateRequest {
  readonly issuer: Name;
  /** Key pair of the issuer, on curve P-256. */
  readonly issuerKey: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly subject: Name;
  readonly publicKey: KeyObject;
  readonly now: Date;
  readonly years: number;
  readonly extensions: readonly Extension[];
}

/** Issues a certificate of version 3 (RFC 5280), PEM, from now on for so many years; both keys are named in it. */
export async function issueCertificate({
  issuer,
  issuerKey,
  subject,
  publicKey,
  now,
  years,
  extensions,
}: CertificateRequest): Promise<string> {
  const key = readable(publicKey);
  const certificate = await X509CertificateGenerator.create({
    // its first byte keeps it positive and as long as any other
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    issuer,
    // an hour for clocks that differ
    notBefore: new Date(now.getTime() - HOUR_MS),
    notAfter: new Date(now.getTime() + years * YEAR_MS),
    subject,
    publicKey: key,
    extensions: [
      ...extensions,
      await SubjectKeyIdentifierExtension.create(key),
      await AuthorityKeyIdentifierExtension.create(readable(issuerKey.publicKey)),
    ],
    signingKey: issuerKey.privateKey.toCryptoKey(p256, false, ['sign']),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
  });
  return `${certificate.toString('pem')}\n`;
}

/** Names an organisation and who it is there, in UTF-8. */
export const nameOf = (organisation: string, name: string): Name =>
  new Name([{ O: [{ utf8String: organisation }] }, { CN: [{ utf8String: name }] }]);

function readable(key: KeyObject): PublicKey {
  return new PublicKey(key.export({ type: 'spki', format: 'der' }));
}
