import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';
import { boundAnswer } from '#src/providers/text/bound-answer.ts';
import { streamText, type TextLimits, textLimits } from '#src/providers/text/stream-text.ts';
import { readPiece } from '#src/providers/text/wire.ts';
import { chunkOf, stalls, streams, usageChunk } from '#test/helpers/vendors/chat-stream.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import type { Turn } from '#test/helpers/vendors/vendor-server.ts';

const offered: Offered = { model: 'm', price: {}, latency: { base: 1 }, quality: 1 };

const asking = (url: string, limits: Partial<TextLimits> = {}) => {
  const provider: Provider = { id: 'one', title: 'One', style: 'openai-compatible', url, capabilities: {} };
  const request = { messages: [{ role: 'user', content: 'x' }] } as const;
  const signal = new AbortController().signal;
  return streamText({ provider, offered, request, maxTokens: 10, signal, limits: { ...textLimits, ...limits } });
};

/** Writes a comment as often as it can until the client leaves: bytes, and never an end. */
const drips: Turn = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunkOf({ content: 'a' }) + chunkOf({}, 'stop'));
  const timer = setInterval(() => response.write(':\n\n'), 20);
  response.once('close', () => clearInterval(timer));
};

test.each([
  ['says nothing more', streams([chunkOf({ content: 'a' }), chunkOf({}, 'stop'), usageChunk(1, 2)], stalls), true],
  ['goes on with comments', drips, false],
])('an answer that has said why it ends is over, though its service %s', async (_, turn, hasUsage) => {
  await using vendor = await startOpenaiLike({ chat: [turn] });
  // the wait between two pieces would be longer than the test may take
  const deltas = (await Array.fromAsync(asking(vendor.url, { endMs: 200, idleMs: 600_000 }))).flat();
  expect(deltas).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'finish', reason: 'stop' },
    ...(hasUsage ? [{ kind: 'usage', usage: { inputTokens: 1, outputTokens: 2 } }] : []),
  ]);
});

test('a service that writes without an end is left once no tokens can explain it', async () => {
  const left = Promise.withResolvers<void>();
  const endless: Turn = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void once(response, 'close').then(() => left.resolve());
    const more = () => {
      while (!response.destroyed && response.write(chunkOf({ content: 'z'.repeat(100) })));
    };
    response.on('drain', more);
    more();
  };
  await using vendor = await startOpenaiLike({ chat: [endless] });
  const bounds = { maxTokens: 10, maxInputTokens: 100, doubt: () => {} };
  const deltas = (await Array.fromAsync(boundAnswer(asking(vendor.url), bounds))).flat();
  expect(deltas.at(-1)).toEqual({ kind: 'finish', reason: 'length' });
  await left.promise;
});

test.each([
  ['1e300', false],
  ['9007199254740993', false],
  ['1000000001', false],
  ['-1', false],
  ['1.5', false],
  ['1e400', false],
  ['"5"', false],
  ['1000000000', true],
])('an answer that says it took %s tokens is read, and the count where it is one', (count, isCount) => {
  const piece = readPiece(
    `{"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":${count}}}`,
  );
  expect(piece).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'usage', usage: { inputTokens: 1, ...(isCount && { outputTokens: Number(count) }) } },
  ]);
});
