import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { AppError } from '#src/lib/errors.ts';
import { retryAfterMs } from '#src/lib/retry-after.ts';
import { version } from '#src/system/config/version.ts';

/** Validators of the document when it was last taken; the server does not send it again while it is the same. */
export interface Validators {
  readonly etag: string | null;
  readonly modified: string | null;
}

export interface Quotes extends Validators {
  /** Shared, so that handing them to a thread copies nothing. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

const TIMEOUT_MS = 20_000;

/** The address of a symbol's delayed quotes: indices are written with an underscore. */
export function quotesAddress(base: string, symbol: MarketSymbol): string {
  return `${base}${markets[symbol].kind === 'index' ? '_' : ''}${symbol}.json`;
}

/**
 * Asks for a document of delayed quotes once; null where it has not changed. Redirects are refused: the operator has named
 * the address, and another may belong to any other party.
 *
 * @param most bytes of the document after decompression
 * @throws AppError `unavailable` where there is no answer, or one of overload or failure; `payload_too_large`;
 *   `invalid_payload` for any other answer. `details.asked_ms` is the wait that the server requested.
 */
export async function fetchQuotes(
  address: string,
  { etag, modified }: Validators,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<Quotes | null> {
  const response = await fetch(address, {
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': `proofline/${version}`,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(modified !== null && { 'if-modified-since': modified }),
    },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    throw notReached(signal, error);
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status === 304) return null;
    throw refusal(response);
  }
  const bytes = await readBody(response, most).catch((error: unknown) => {
    throw error instanceof AppError ? error : notReached(signal, error);
  });
  return { bytes, etag: response.headers.get('etag'), modified: response.headers.get('last-modified') };
}

/** The whole body; one that grows beyond `most` is left unread, however little it was on the way. */
async function readBody({ body }: Response, most: number): Promise<Uint8Array<SharedArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > most) {
      const message = `Delayed quotes: expected at most ${most} bytes, got more; raise CHAIN_BODY_LIMIT_BYTES if they are a chain.`;
      throw new AppError('payload_too_large', message, { max_bytes: most });
    }
    parts.push(part);
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function refusal({ status, headers }: Response): AppError {
  const waitMs = retryAfterMs(headers.get('retry-after'), Date.now());
  const details = { status, ...(waitMs > 0 && { asked_ms: waitMs }) };
  const may = status === 408 || status === 429 || status >= 500;
  if (may)
    return new AppError(
      'unavailable',
      `Delayed quotes: expected status 200, got ${status}; the request is repeated later.`,
      details,
    );
  const hint = status < 400 ? 'redirects are not followed; ' : '';
  const message = `Delayed quotes: expected status 200 or 304, got ${status}; ${hint}check FEED_CBOE_URL.`;
  return new AppError('invalid_payload', message, details);
}

/** An abort of ours stays what it is. */
function notReached(signal: AbortSignal, error: unknown): unknown {
  if (signal.aborted) return error;
  const message = `Delayed quotes: expected a whole answer within ${TIMEOUT_MS / 1_000} s, got none; the request is repeated later.`;
  return new AppError('unavailable', message, {}, error);
}
