import { generateKeyPairSync } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { issueCertificate, nameOf } from './certificate.ts';

/** Certificates and key for signing our files: PEM texts. */
export interface SigningChain {
  /** Certificate of the signer first, then its issuer's. */
  readonly certificates: string;
  /** PKCS #8. */
  readonly key: string;
}

/** Signing of documents (RFC 9336). */
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';

/** No authority; key usage: digital signature; extended: mail, and documents, as checkers ask for either. */
export const signerExtensions: readonly Extension[] = [
  new BasicConstraintsExtension(false, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
  new ExtendedKeyUsageExtension([ExtendedKeyUsage.emailProtection, DOCUMENT_SIGNING]),
];

/** An authority, of signers alone; key usage: certificates and lists of revoked ones. */
const authorityExtensions: readonly Extension[] = [
  new BasicConstraintsExtension(true, 0, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
];

/**
 * Makes a new certificate authority of our own and a certificate that it issued, as C2PA requires (P-256; one may sign
 * documents, the other certificates; RFC 5280, C2PA 2.1 §14.5). No verifier trusts them: their names say so. The
 * authority's key is forgotten.
 */
export async function makeDevelopmentChain(now: Date): Promise<SigningChain> {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf('Proofline', 'Proofline development CA (not trusted)');
  const shared = { issuer, issuerKey: authority, now };
  const root = await issueCertificate({
    ...shared,
    subject: issuer,
    publicKey: authority.publicKey,
    years: 10,
    extensions: authorityExtensions,
  });
  const leaf = await issueCertificate({
    ...shared,
    subject: nameOf('Proofline', 'Proofline development signer (not trusted)'),
    publicKey: signer.publicKey,
    years: 9,
    extensions: signerExtensions,
  });
  return {
    certificates: leaf + root,
    key: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
