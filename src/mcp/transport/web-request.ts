import type { FastifyReply, FastifyRequest } from 'fastify';

/** Credentials stay at the edge: nothing behind it needs them. */
const withheld = new Set(['authorization', 'x-api-key', 'cookie']);

/** The request as the protocol's library takes it, without its body, which is parsed already. */
export function webRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || withheld.has(name) ? [] : [[name, [value].flat().join(', ')]],
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: kept, signal });
}

/** Sends the library's answer through Fastify, so that its hooks and headers hold. */
export async function sendWeb(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  // a stream that has nothing to say yet would keep its headers to itself
  if (response.headers.get('content-type')?.startsWith('text/event-stream'))
    setImmediate(() => {
      if (!reply.raw.headersSent && !reply.raw.destroyed) reply.raw.flushHeaders();
    });
  return await reply.send(response);
}
