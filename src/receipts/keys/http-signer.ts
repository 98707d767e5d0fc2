import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { base64Of, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { isSignatureOf } from '#src/lib/crypto/ed25519.ts';
import { AppError } from '#src/lib/errors.ts';
import { readBounded } from '#src/providers/http/read-bounded.ts';
import { jwkOf } from '#src/receipts/format/jwk.ts';
import type { Signer } from '#src/receipts/format/seal.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** A service that signs with keys it never gives away. @see docs/sealing.md for its contract */
export interface RemoteSigner {
  /** Base address; `/sign` is put behind it. */
  readonly url: string;
  readonly token: string;
  /** The key it is to seal with from the first use on, or from the next rotation: 32 bytes, base64url. */
  readonly publicKey: string;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
}

const MOST_MESSAGE = 1_048_576;
const MOST_ANSWER = 4_096;
/** 64 bytes have one spelling. */
const Answer = Type.Object({ signature: Type.String({ pattern: '^[A-Za-z0-9+/]{85}[AQgw]==$' }) });

/** The signer of the settings; null where the key is in a file. */
export function remoteSignerOf(config: Config): RemoteSigner | null {
  const { SEAL_SIGNER_URL: url, SEAL_SIGNER_TOKEN: token, SEAL_SIGNER_PUBLIC_KEY: publicKey } = config;
  return url === undefined ? null : { url, token, publicKey, timeoutMs: config.SEAL_SIGNER_TIMEOUT_MS };
}

/**
 * One key of a remote signer. A signature is used only once it is verified to be that key's over the very message.
 *
 * @param publicKey 32 bytes, base64url
 * @throws AppError from `sign`: `unavailable` for a signer that is away, slow, or answers with anything else;
 *   `payload_too_large` for a message over 1 MiB.
 */
export function httpSigner(remote: RemoteSigner, publicKey: string): Signer {
  const { kid } = jwkOf(publicKey);
  return {
    kid,
    sign: async (message) => {
      if (message.length > MOST_MESSAGE)
        throw new AppError(
          'payload_too_large',
          `expected at most ${MOST_MESSAGE} bytes to sign, got ${message.length}.`,
        );
      const signature = readSignature(kid, await ask(remote, kid, message));
      if (isSignatureOf(signature, message, bytesOfBase64url(publicKey))) return signature;
      throw failed(kid, 'its signature of the message', 'another');
    },
  };
}

async function ask({ url, token, timeoutMs }: RemoteSigner, kid: string, message: Uint8Array): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  let status: number;
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ kid, message: base64Of(message) }),
      // elsewhere another server would get the token
      redirect: 'manual',
      signal,
    });
    if (response.status === 200) return await readBounded(response, MOST_ANSWER);
    await response.body?.cancel();
    ({ status } = response);
  } catch {
    // fetch's errors may carry headers, so none is passed on
    throw failed(kid, 'an answer', signal.aborted ? `none within ${timeoutMs} ms` : 'no connection');
  }
  throw failed(kid, 'status 200', String(status));
}

function readSignature(kid: string, text: string | null): Uint8Array {
  if (text === null) throw failed(kid, `an answer of at most ${MOST_ANSWER} bytes`, 'a longer one');
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw failed(kid, 'JSON', 'something else');
  }
  if (!Value.Check(Answer, answer)) throw failed(kid, '{"signature": 64 bytes in base64}', 'other members');
  return Buffer.from(answer.signature, 'base64');
}

function failed(kid: string, expected: string, got: string): AppError {
  return new AppError('unavailable', `signer of key ${kid}: expected ${expected}, got ${got}; it is tried again.`);
}
