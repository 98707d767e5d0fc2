import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface ChatRequest {
  readonly headers: IncomingHttpHeaders;
  readonly path: string | undefined;
  readonly body: any;
}

/** One answer of the model. */
export type Turn = (response: ServerResponse, request: ChatRequest) => void;

/** A completion with this message, whole unless `finish` says otherwise. */
function completes(message: object, finish: string): Turn {
  return (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: 'test-model',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, refusal: null, ...message },
            logprobs: null,
            finish_reason: finish,
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  };
}

export const says = (content: string, finish = 'stop'): Turn => completes({ content }, finish);

/** Calls of tools, each a name and its arguments: a value, or the text as the model writes it. */
export function calls(...wanted: readonly (readonly [string, unknown])[]): Turn {
  const toolCalls = wanted.map(([name, input], index) => ({
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return completes({ tool_calls: toolCalls }, 'tool_calls');
}

/** Any answer, as it is. */
export function answers(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Turn {
  return (response) => void response.writeHead(status, headers).end(body);
}

/** Takes the request and never answers. */
export const hangs: Turn = () => {};

/** Ends the connection without an answer. */
export const breaks: Turn = (response) => void response.destroy();

/** A server that speaks OpenAI's chat completions by a script; the last turn is repeated. */
export async function chatServer() {
  let script: readonly Turn[] = [breaks];
  let received: ChatRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const turn = script[received.length] ?? script.at(-1)!;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
      received.push({ headers: request.headers, path: request.url, body });
      turn(response, received.at(-1)!);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Sets the answers of the model from now on; forgets the requests so far. */
    script: (...turns: readonly Turn[]) => {
      script = turns;
      received = [];
    },
    received: () => received as readonly ChatRequest[],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
