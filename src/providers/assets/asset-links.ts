import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Config } from '#src/system/config/config-type.ts';

type Secret = Pick<Config, 'KEY_PEPPER'>;

/** Asset that a link's bearer may read, and the time until which they may (seconds since 1970). */
interface Linked {
  readonly sha256: string;
  readonly id: string;
}

/**
 * Builds a path under which anybody can read one asset for a while, without a key.
 *
 * @param seconds validity, counted from `now`
 */
export function signedLink(
  config: Secret,
  { sha256, id }: Linked,
  { seconds, now = Date.now() }: { readonly seconds: number; readonly now?: number },
): string {
  const expires = Math.ceil(now / 1_000) + seconds;
  const query = new URLSearchParams({
    asset: id,
    expires: String(expires),
    signature: signatureOf(config, { sha256, id }, expires).toString('base64url'),
  });
  return `/v1/artefacts/${sha256}?${query.toString()}`;
}

/** Checks the signature of a link: `expired` for a link of ours whose time is over. */
export function checkLink(
  config: Secret,
  link: Linked,
  { expires, signature }: { readonly expires: number; readonly signature: string },
  now: number = Date.now(),
): 'valid' | 'expired' | 'forged' {
  const bytes = Buffer.from(signature, 'base64url');
  const right = signatureOf(config, link, expires);
  if (bytes.length !== right.length || !timingSafeEqual(bytes, right)) return 'forged';
  return now / 1_000 < expires ? 'valid' : 'expired';
}

function signatureOf({ KEY_PEPPER }: Secret, { sha256, id }: Linked, expires: number): Buffer {
  const key = hkdfSync('sha256', KEY_PEPPER, '', 'proofline/artefact-link/v1', 32);
  return createHmac('sha256', Buffer.from(key)).update(`${sha256}\n${id}\n${expires}`).digest();
}
