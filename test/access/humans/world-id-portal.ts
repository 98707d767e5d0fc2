import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** An IDKit 4 result as far as a portal reads it. */
export interface IdkitResult {
  readonly protocol_version: string;
  readonly nonce: string;
  readonly action: string;
  readonly environment: string;
  readonly responses: readonly {
    readonly identifier: string;
    readonly issuer_schema_id: number;
    readonly signal_hash?: string;
    readonly nullifier: string;
    readonly expires_at_min: number;
    readonly proof: readonly string[];
  }[];
}

export interface Portal extends AsyncDisposable {
  readonly url: string;
  /** What was asked of it: path and body. */
  readonly asked: { readonly path: string; readonly body: Record<string, unknown> }[];
  /** Answers the next requests with this in the place of what it would say. */
  answer: ((right: Record<string, unknown>, response: ServerResponse) => void) | null;
}

/** A portal with the contract of `POST /api/v4/verify/{rp_id}`: it confirms whatever it is asked, as the real one does a proof that holds. */
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
  const results = body.responses.map(({ identifier, nullifier }) => ({ identifier, success: true, nullifier }));
  const right = {
    success: true,
    action: body.action,
    nullifier: results[0]?.nullifier,
    protocol_version: body.protocol_version,
    environment: body.environment,
    results,
    message: 'Proof verified successfully (nullifier reuse)',
  };
  if (portal.answer) portal.answer(right, response);
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(right));
}

/** Answers with a status and JSON. */
export function say(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
