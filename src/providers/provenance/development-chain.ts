import { generateKeyPairSync } from 'node:crypto';
import { bits, integer, oid, sequence, yes } from '#src/lib/crypto/der.ts';
import { extension, issueCertificate, nameOf, pemOf } from './certificate.ts';

/** Certificates and key for signing our files: PEM texts. */
export interface SigningChain {
  /** Certificate of the signer first, then its issuer's. */
  readonly certificates: string;
  /** PKCS #8. */
  readonly key: string;
}

/** No authority; key usage: digital signature; extended: mail, and documents (RFC 9336), as checkers ask for either. */
export const signerExtensions: readonly Uint8Array[] = [
  extension('2.5.29.19', true, sequence()),
  extension('2.5.29.15', true, bits(Buffer.from([0b1000_0000]), 7)),
  extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.4'), oid('1.3.6.1.5.5.7.3.36'))),
];

/**
 * Makes a new certificate authority of our own and a certificate that it issued, as C2PA requires (P-256; one may sign
 * documents, the other certificates; RFC 5280, C2PA 2.1 §14.5). No verifier trusts them: their names say so. The
 * authority's key is forgotten.
 */
export function makeDevelopmentChain(now: Date): SigningChain {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf('Proofline', 'Proofline development CA (not trusted)');
  const shared = { issuer, issuerKey: authority, now };
  const root = issueCertificate({
    ...shared,
    subject: issuer,
    publicKey: authority.publicKey,
    years: 10,
    // basic constraints: an authority, of signers alone; key usage: certificates and lists of revoked ones
    extensions: [
      extension('2.5.29.19', true, sequence(yes, integer(Buffer.from([0])))),
      extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
    ],
  });
  const leaf = issueCertificate({
    ...shared,
    subject: nameOf('Proofline', 'Proofline development signer (not trusted)'),
    publicKey: signer.publicKey,
    years: 9,
    extensions: signerExtensions,
  });
  return {
    certificates: pemOf(leaf) + pemOf(root),
    key: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
