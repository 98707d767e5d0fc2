import { lookup } from 'node:dns';
import { type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '#src/lib/errors.ts';

export interface OutsideRequest {
  readonly url: string;
  /** Origins that may be called (`https://example.com`). One whose host is an address itself may be private. */
  readonly origins: readonly string[];
  /** Any `https` address of the open internet may be called too. */
  readonly anywhere?: boolean;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Longest answer that is read; one that says it is longer is not read at all. */
  readonly mostBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets the length of the answer, before it is read; null where it does not say. What it throws breaks it off. */
  readonly announced?: (bytes: number | null) => void;
  /** Is shown the first bytes of the answer, and its status, before the rest is read; what it throws breaks it off. */
  readonly peek?: { readonly bytes: number; readonly look: (beginning: Buffer, status: number) => unknown };
}

export interface OutsideAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The request never left: nothing can have happened there. */
export class NotSent extends AppError {}

/**
 * One request to an address outside that the operator has allowed. Names that lead to private addresses are refused at
 * the moment of the connection, so that a name cannot change its mind in between; redirects are answers, never followed.
 *
 * @throws AppError `forbidden` for an origin that is not allowed, `payload_too_large`; NotSent when there was no
 *   connection; whatever else broke off the exchange, in which case it may have been read there.
 */
export async function callOutside(request: OutsideRequest): Promise<OutsideAnswer> {
  const url = allowedUrl(request.url, request.origins, request.anywhere);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]);
  return await new Promise<OutsideAnswer>((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    let connected = false;
    const call = send(url, {
      method: request.method,
      headers: { 'user-agent': 'Proofline', ...request.headers },
      lookup: isAddress(url) ? undefined : lookUpPublic,
      agent: false,
      signal,
    });
    call.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (connected = true)),
    );
    call.on('error', (error) => reject(connected || error instanceof AppError ? error : notSent(url, error)));
    // no answer at all would come of it: its socket is given away, and Node says nothing more of the request
    call.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new AppError('unavailable', `${url.origin} answered in another protocol.`, { origin: url.origin }));
    });
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const length = response.headers['content-length'];
      if (Number(length) > request.mostBytes) call.destroy(tooLong(url, request.mostBytes));
      else attempt(call, () => request.announced?.(length === undefined ? null : Number(length)));
      let { peek } = request;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > request.mostBytes) call.destroy(tooLong(url, request.mostBytes));
        if (!peek || size < peek.bytes) return;
        const { look } = peek;
        peek = undefined;
        attempt(call, () => look(Buffer.concat(chunks), response.statusCode ?? 0));
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? null,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.end(request.body);
  });
}

/** Breaks a call off with what `look` throws. */
function attempt(call: ClientRequest, look: () => unknown): void {
  try {
    look();
  } catch (error) {
    call.destroy(error as Error);
  }
}

/**
 * The address, where its origin is one of these and it carries no user.
 *
 * @param anywhere whether `https` addresses of the open internet will do too
 * @throws AppError `forbidden`; without `anywhere` it names what is allowed.
 */
export function allowedUrl(text: string, origins: readonly string[], anywhere = false): URL {
  const url = URL.parse(text);
  const plain = url && url.username === '' && url.password === '';
  if (plain && origins.includes(url.origin)) return url;
  const got = JSON.stringify(url?.origin ?? text.slice(0, 200));
  if (anywhere) {
    // where a name leads is seen at the moment of the connection
    if (plain && url.protocol === 'https:' && (!isAddress(url) || isPublic(hostOf(url)))) return url;
    // what the operator allows besides is no business of a holder of a key
    throw new AppError('forbidden', `expected an https address of the open internet, got ${got}.`, {
      reason: 'address',
    });
  }
  throw new AppError(
    'forbidden',
    `expected an address of ${origins.join(', ') || 'an allowed origin, of which there is none'}, got ${got}.`,
    { allowed: [...origins], reason: 'address' },
  );
}

/** Names that are never of the open internet: RFC 6761, 6762 and 8375, and what networks of one's own are called. */
const ownNames = /(^|\.)(localhost|local|internal|intranet|home\.arpa|localdomain|lan|private|corp)\.?$/i;

/**
 * Checks whether a text is an https address of the open internet, without a user, as far as it says so itself. It is
 * for an address that is passed on to another service, which resolves its name.
 */
export function isOpenUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
  return isAddress(url) ? isPublic(hostOf(url)) : !ownNames.test(url.hostname);
}

/** Checks whether a host is written as an address: one that the operator has allowed so may be private. */
export function isAddress(url: URL): boolean {
  return ipaddr.isValid(hostOf(url));
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Looks a name up and refuses it where any of its addresses is not a public one. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const hidden = addresses.find(({ address }) => !isPublic(address));
    const [first] = addresses;
    if (hidden || !first)
      return callback(
        new NotSent('forbidden', `expected ${hostname} to have public addresses alone, got another.`, {
          reason: 'private_address',
        }),
        '',
        0,
      );
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/**
 * Checks whether an address is one of the open internet: not loopback, private, link-local, shared, multicast or
 * reserved.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const found = ipaddr.process(address);
  if (found.range() !== 'unicast') return false;
  // of IPv6 only 2000::/3 is given out; the rest has ways to IPv4 that no list of ranges names (`::7f00:1`)
  return found.kind() === 'ipv4' || (found as ipaddr.IPv6).parts[0]! >> 13 === 1;
}

/** Builds the error of a request that found no connection. */
export function notSent({ origin }: URL, error: Error): NotSent {
  return new NotSent('unavailable', `${origin} could not be reached.`, { origin }, error);
}

function tooLong({ origin }: URL, most: number): AppError {
  return new AppError(
    'payload_too_large',
    `expected an answer of at most ${most} bytes from ${origin}, got a longer one.`,
  );
}
