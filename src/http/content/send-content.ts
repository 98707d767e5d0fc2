import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';

/** A part of a content, both ends included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the part of `size` bytes that a `Range` header requests (RFC 9110 §14.2). Null for the whole: no header,
 * another unit, several ranges, or text that is no range, all of which a server may ignore; `unsatisfiable` where
 * nothing lies in it.
 */
function readRange(header: string | undefined, size: number): Span | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** A content of the artefact storage, and how it is handed out. */
export interface Sendable {
  /** Name of the content, for a sentence to operators. */
  readonly what: string;
  readonly sha256: string;
  readonly size: number;
  readonly type: string;
  readonly disposition: string;
}

/** A page of it could run nothing and load nothing but itself. */
const policy =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Sets the status and headers of an answer that is a content, and returns the requested part of it; null for all of it.
 * Status 304: the client has it, and gets no bytes.
 *
 * @throws AppError `range_not_satisfiable`
 */
function prepareContent(request: FastifyRequest, reply: FastifyReply, sendable: Sendable): Span | null {
  const { sha256, size, type, disposition } = sendable;
  const tag = `"${sha256}"`;
  reply.headers({
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=300',
    'content-security-policy': policy,
  });
  if (names(request.headers['if-none-match'], tag)) {
    reply.code(304);
    return null;
  }
  const { range, 'if-range': condition } = request.headers;
  // a part of something else would be of no use
  const span = condition === undefined || condition === tag ? readRange(range, size) : null;
  if (span === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`);
    const shown = JSON.stringify((range ?? '').slice(0, 100));
    throw new AppError('range_not_satisfiable', `expected a range within ${size} bytes, got ${shown}.`, { size });
  }
  if (span) reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${size}`);
  const length = span ? span.end - span.start + 1 : size;
  reply.headers({ 'content-length': length, 'content-disposition': disposition }).type(type);
  return span;
}

/** Headers of requests for a content, for the schemas of its routes. */
export const ContentHeaders = Type.Object({
  range: Type.Optional(Type.String({ description: 'One range of bytes; several are answered with all of it' })),
  'if-range': Type.Optional(Type.String()),
  'if-none-match': Type.Optional(Type.String()),
});

/** The answers of a route that gives a content, by what it may be. */
export function contentAnswers(...types: readonly string[]) {
  const schema = Type.String({ format: 'binary' });
  const bytes = (description: string) => ({
    description,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  });
  return {
    200: bytes('All of it; `Content-Type` says what it is'),
    206: bytes('The part that `Range` asks for'),
    304: { description: 'The client has it: `If-None-Match` names its digest', type: 'null' },
  };
}

/**
 * Answers with a content, or the part of it that the client asks for; HEAD without reading it, where the route is one
 * for HEAD itself (the one that Fastify makes would read the content to throw it away).
 *
 * @throws AppError as {@link prepareContent}, `internal`
 */
export async function sendContent(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  sendable: Sendable,
): Promise<FastifyReply> {
  const span = prepareContent(request, reply, sendable);
  if (reply.statusCode === 304 || request.method === 'HEAD') return await reply.send(null);
  const opened = await blobsOf(context).open(sendable.sha256, span ?? undefined);
  if (!opened) {
    throw new AppError('internal', `expected the bytes of ${sendable.what} in the artefact storage, got none.`);
  }
  const { proofline_artefact_bytes_total: bytes } = context.metrics;
  opened.stream.on('data', (chunk: Uint8Array) => bytes.inc({ direction: 'out' }, chunk.byteLength));
  // Fastify destroys the stream when the client leaves
  return await reply.send(opened.stream);
}

/** Checks whether `If-None-Match` names a tag (RFC 9110 §13.1.2: compared weakly). */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
