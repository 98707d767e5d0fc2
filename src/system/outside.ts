import { lookup } from 'node:dns';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
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
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      if (Number(response.headers['content-length']) > request.mostBytes) {
        call.destroy(tooLong(url, request.mostBytes));
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > request.mostBytes) call.destroy(tooLong(url, request.mostBytes));
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

/**
 * The address, where its origin is one of these and it carries no user.
 *
 * @param anywhere whether `https` addresses of the open internet will do too
 * @throws AppError `forbidden` naming what is allowed.
 */
export function allowedUrl(text: string, origins: readonly string[], anywhere = false): URL {
  const url = URL.parse(text);
  const plain = url && url.username === '' && url.password === '';
  if (plain && origins.includes(url.origin)) return url;
  // where a name leads is seen at the moment of the connection
  if (anywhere && plain && url.protocol === 'https:' && (!isAddress(url) || isPublic(hostOf(url)))) return url;
  const open = anywhere ? ['an https address of the open internet'] : [];
  throw new AppError(
    'forbidden',
    `expected ${anywhere ? '' : 'an address of '}${[...open, ...origins].join(', ') || 'an allowed origin, of which there is none'}, got ${JSON.stringify(url?.origin ?? text.slice(0, 200))}.`,
    { allowed: [...origins] },
  );
}

/** Whether a host is written as an address: one that the operator has allowed so may be private. */
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
        new NotSent('forbidden', `expected ${hostname} to have public addresses alone, got another.`),
        '',
        0,
      );
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/** Whether an address is one of the open internet: not loopback, private, link-local, shared, multicast or reserved. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** What a request failed with that found no connection. */
export function notSent({ origin }: URL, error: Error): NotSent {
  return new NotSent('unavailable', `${origin} could not be reached.`, { origin }, error);
}

function tooLong({ origin }: URL, most: number): AppError {
  return new AppError(
    'payload_too_large',
    `expected an answer of at most ${most} bytes from ${origin}, got a longer one.`,
  );
}
