import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { createPrivateFile, readPrivateFile } from '#src/system/config/private-file.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { SigningChain } from './development-chain.ts';

type Paths = Pick<Config, 'PROOFLINE_HOME' | 'C2PA_CERTIFICATE_FILE' | 'C2PA_KEY_FILE'>;

/** Algorithm of a key's signatures, by COSE's numbers (RFC 9053 §2, RFC 8230 §2). */
export type CoseAlgorithm = -7 | -35 | -8 | -37;

/** Signer that vouches for the origin of a file. */
export interface MediaSigner {
  /** Certificates as DER; the signer's own first, and no root: a verifier has it, or does not trust it. */
  readonly certificates: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly algorithm: CoseAlgorithm;
  /** As the certificate names it. */
  readonly subject: string;
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string;
  /** True for a certificate made here, which no verifier trusts. */
  readonly development: boolean;
}

const keptOf = perContext((): { signer?: MediaSigner } => ({}));

/**
 * The signer of this process; the certificate is made at first use where the operator has none. One that cannot be used is
 * read again by the next who asks.
 */
export async function mediaSignerOf(context: Context): Promise<MediaSigner> {
  const kept = keptOf(context);
  // two who ask at once read the same: the first chain that is written stays
  kept.signer ??= await readMediaSigner(context.config);
  return kept.signer;
}

/**
 * The operator's certificate and key, or those of a development authority in the home, which several processes that
 * begin at once share.
 *
 * @throws AppError `invalid_configuration` for files that cannot be read, that do not belong together, or whose key
 *   is of no kind that is signed with.
 */
export async function readMediaSigner(config: Paths, now: Date = new Date()): Promise<MediaSigner> {
  const own = config.C2PA_CERTIFICATE_FILE !== '';
  const path = own ? resolve(config.C2PA_CERTIFICATE_FILE) : developmentPath(config);
  const { certificates: text, key } = own ? readOwn(config) : await readDevelopment(path, now);
  try {
    const chain = (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      (one) => new X509Certificate(one),
    );
    const [leaf] = chain;
    if (leaf === undefined) throw new TypeError('it has no certificate');
    const privateKey = createPrivateKey(key);
    if (!leaf.publicKey.equals(createPublicKey(privateKey)))
      throw new TypeError('its first certificate is another key’s');
    return {
      certificates: chain.filter(({ subject, issuer }) => subject !== issuer).map(({ raw }) => raw),
      key: privateKey,
      algorithm: algorithmOf(privateKey),
      subject: leaf.subject.replaceAll('\n', ', '),
      fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
      development: !own,
    };
  } catch (error) {
    // OpenSSL's words could show the file's, so only our own go on
    const why = error instanceof TypeError ? error.message : 'it is no PEM that can be read';
    throw new AppError(
      'invalid_configuration',
      `${path}: expected the certificates of a signer and the key that goes with them, got something else (${why}).`,
    );
  }
}

export const developmentPath = ({ PROOFLINE_HOME: home }: Pick<Config, 'PROOFLINE_HOME'>): string =>
  resolve(home, join('secrets', 'c2pa-development.json'));

function readOwn({ C2PA_CERTIFICATE_FILE: certificate, C2PA_KEY_FILE: file }: Paths): SigningChain {
  const key = readPrivateFile(resolve(file));
  if (key === undefined) {
    throw new AppError(
      'invalid_configuration',
      `C2PA_KEY_FILE: expected a file with a key, got ${file}, which is none.`,
    );
  }
  try {
    return { certificates: readFileSync(resolve(certificate), 'utf8'), key };
  } catch (error) {
    const message = `C2PA_CERTIFICATE_FILE: expected a file that can be read, got ${certificate}, which cannot.`;
    throw new AppError('invalid_configuration', message, {}, error);
  }
}

async function readDevelopment(path: string, now: Date): Promise<SigningChain> {
  const known = readPrivateFile(path);
  if (known !== undefined) return JSON.parse(known) as SigningChain;
  // once for a home: every other process does without what makes certificates
  const { makeDevelopmentChain } = await import('./development-chain.ts');
  createPrivateFile(path, `${JSON.stringify(await makeDevelopmentChain(now), null, 2)}\n`);
  return await readDevelopment(path, now);
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): CoseAlgorithm {
  if (type === 'ed25519') return -8;
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= 2_048) return -37;
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return -7;
  if (type === 'ec' && details?.namedCurve === 'secp384r1') return -35;
  throw new TypeError('its key is none of P-256, P-384, Ed25519, RSA of 2048 bits or more');
}
