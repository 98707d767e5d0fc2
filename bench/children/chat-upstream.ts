import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { answerCalls } from '#bench/lib/calls.ts';

/** Answer that the last message of a request asks for, as JSON. */
export interface Wanted {
  readonly tokens: number;
  /** Between two tokens; 0 for one in each turn of the loop, as fast as they are read. */
  readonly everyMs: number;
  /** Stays open after the tokens until the client leaves. */
  readonly holds?: boolean;
}

/** A provider that speaks OpenAI's chat completions and does no work for it. */
const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');

answerCalls({ url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString());
  const wanted = JSON.parse(body.messages.at(-1).content) as Wanted;
  const usage = { prompt_tokens: 10, completion_tokens: wanted.tokens, total_tokens: 10 + wanted.tokens };
  if (body.stream === true) return await stream(response, wanted, usage);
  const choices = [
    { index: 0, message: { role: 'assistant', content: 'token '.repeat(wanted.tokens) }, finish_reason: 'stop' },
  ];
  const text = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: body.model, choices, usage });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

async function stream(response: ServerResponse, { tokens, everyMs, holds }: Wanted, usage: object): Promise<void> {
  const piece = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
  const chunk = (delta: object, finish: string | null = null) => piece([{ index: 0, delta, finish_reason: finish }]);
  const token = chunk({ content: 'token ' });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  for (let sent = 0; sent < tokens && !response.destroyed; sent++) {
    if (!response.write(token)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await (everyMs > 0 ? sleep(everyMs) : turn());
  }
  if (holds !== true) response.end(`${chunk({}, 'stop')}${piece([], { usage })}data: [DONE]\n\n`);
}
