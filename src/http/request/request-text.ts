import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

type RequestParts = Pick<FastifyRequest, 'method' | 'params' | 'query' | 'body'> & {
  readonly routeOptions: { readonly url?: string | undefined };
};

/** Writes a client's request as one text: equal for a repetition, whatever the order of its properties. */
export function requestText({ method, routeOptions, params, query, body }: RequestParts): string {
  const content = Buffer.isBuffer(body) ? createHash('sha256').update(body).digest('hex') : (body ?? null);
  return sortedText([method, routeOptions.url, params, query, content]);
}

/** Writes JSON as a text that is the same whatever the order of its properties. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, sorted);
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
