import { randomBytes } from 'node:crypto';

/** Kinds of streams that a token opens. */
export const streamKinds = ['job', 'flow', 'queue', 'symbol'] as const;
export type StreamKindName = (typeof streamKinds)[number];

/** The one stream that a token opens. */
export interface StreamGrant {
  /** Id of the token. */
  readonly id: string;
  readonly kind: StreamKindName;
  /** Id of the job or flow, name of the queue, symbol. */
  readonly subject: string;
}

const shape = /^st-[\w-]{43}$/;

/** A new token: 256 random bits in base64url behind `st-`. */
export function makeStreamToken(): string {
  return `st-${randomBytes(32).toString('base64url')}`;
}

/**
 * The stream token of a request: in the query (`?token=`), since browsers send no headers with an EventSource or a
 * WebSocket, or as bearer. Null where there is none.
 */
export function streamTokenOf({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): string | null {
  const { authorization } = headers;
  const bearer = typeof authorization === 'string' ? /^bearer +(st-\S+)$/i.exec(authorization)?.[1] : undefined;
  const start = url.indexOf('?');
  const query = start < 0 ? null : new URLSearchParams(url.slice(start)).get('token');
  // other services call back with tokens of their own
  return bearer ?? (query?.startsWith('st-') ? query : null);
}

export function isStreamToken(text: string): boolean {
  return shape.test(text);
}
