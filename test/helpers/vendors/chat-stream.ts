import type { ServerResponse } from 'node:http';
import type { Turn } from './vendor-server.ts';

const json = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

/** A chunk of a completion, as an event. */
export const chunkOf = (delta: object, finish: string | null = null): string =>
  json({ id: 'c-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });

/** The chunk that has the tokens. */
export const usageChunk = (input: number, output: number): string =>
  json({ id: 'c-1', choices: [], usage: { prompt_tokens: input, completion_tokens: output } });

/** The last event. */
export const done = 'data: [DONE]\n\n';

/** Chunks of an answer in these pieces, all of them. */
export const chunksOf = (
  pieces: readonly string[],
  usage: readonly [number, number] | null = [50, 1_000],
): string[] => [
  chunkOf({ role: 'assistant', content: '' }),
  ...pieces.map((content) => chunkOf({ content })),
  chunkOf({}, 'stop'),
  ...(usage ? [usageChunk(...usage)] : []),
  done,
];

/** Sends these texts, and then ends the answer, or what else is said. */
export const streams =
  (texts: readonly string[], then: (response: ServerResponse) => unknown = (response) => response.end()): Turn =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const text of texts) response.write(text);
    then(response);
  };

/** Ends the connection in the middle, once what was written is under way. */
export const resets = (response: ServerResponse): void =>
  void response.write(':\n\n', () => setImmediate(() => response.socket?.resetAndDestroy()));

/** Sends no more, and stays. */
export const stalls = (): void => {};
