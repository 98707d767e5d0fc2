import { randomUUIDv7 } from 'node:crypto';
import type { Socket } from 'node:net';
import { errorCodes } from '#src/lib/error-codes.ts';

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers bytes that are no HTTP request: there is no route and no reply object then, only the socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  const id = randomUUIDv7();
  const body = JSON.stringify({
    type: 'urn:proofline:error:invalid_request',
    title: errorCodes.invalid_request.title,
    status: Number(status.slice(0, 3)),
    detail: 'expected a well-formed HTTP/1.1 request, got bytes that are none, too many headers, or nothing in time.',
    code: 'invalid_request',
    request_id: id,
  });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
  );
}
