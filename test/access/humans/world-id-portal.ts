import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Item {
  readonly identifier: string;
  readonly issuer_schema_id: number;
  readonly signal_hash?: string;
  readonly nullifier?: string;
  readonly session_nullifier?: readonly string[];
  readonly expires_at_min: number;
  readonly proof: readonly string[];
}

/** An IDKit 4 result as far as a portal reads it: of a uniqueness proof (`action`) or of a session (`session_id`). */
export interface IdkitResult {
  readonly protocol_version: string;
  readonly nonce: string;
  readonly action?: string;
  readonly session_id?: string;
  readonly user_presence_completed?: boolean;
  readonly environment: string;
  readonly responses: readonly Item[];
}

export interface Portal extends AsyncDisposable {
  readonly url: string;
  /** What was asked of it: path and body. */
  readonly asked: { readonly path: string; readonly body: Record<string, unknown> }[];
  /** Answers the next requests with this in the place of what it would say. */
  answer: ((right: Record<string, unknown>, response: ServerResponse) => void) | null;
}

/** The first element of a proof that does not hold. */
export const broken = '0xbad';

/**
 * A portal with the contract of `POST /api/v4/verify/{rp_id}`: it confirms whatever proof is not `broken`, as the real one
 * does what holds, used before or not, and with one item that holds among others that do not.
 */
export async function openPortal(): Promise<Portal> {
  const portal: Portal = {
    url: '',
    asked: [],
    answer: null,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => void respond(portal, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(portal, { url: `http://127.0.0.1:${port}` });
}

async function respond(portal: Portal, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await json(request)) as Record<string, unknown> & IdkitResult;
  portal.asked.push({ path: request.url ?? '', body });
  const { session_id } = body;
  if ((session_id === undefined) === (body.action === undefined))
    return say(response, 400, { success: false, code: 'invalid_request' });
  const right = session_id === undefined ? uniquenessAnswer(body) : sessionAnswer(body, session_id);
  if (portal.answer) return portal.answer(right, response);
  if (right.results.some(({ success }) => success)) return say(response, 200, right);
  say(response, 400, { success: false, code: 'all_verifications_failed', results: right.results });
}

function uniquenessAnswer({ action, protocol_version, environment, responses }: IdkitResult) {
  const results = responses.map(({ identifier, nullifier, proof }) => ({
    identifier,
    success: proof[0] !== broken,
    nullifier,
  }));
  const message = 'Proof verified successfully (nullifier reuse)';
  return { success: true, action, nullifier: results[0]?.nullifier, protocol_version, environment, results, message };
}

/** Of a session neither protocol nor presence is confirmed, and of its nullifier the first element alone. */
function sessionAnswer({ environment, responses }: IdkitResult, session_id: string) {
  const results = responses.map(({ identifier, session_nullifier, proof }) => ({
    identifier,
    sessionId: session_id,
    success: proof[0] !== broken,
    nullifier: session_nullifier?.[0],
  }));
  return { success: true, session_id, environment, results, message: 'Session proof verified successfully' };
}

/** Answers with a status and JSON. */
export function say(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
