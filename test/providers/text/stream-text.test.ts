import { expect, test } from 'vitest';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';
import { streamText, type TextLimits, textLimits } from '#src/providers/text/stream-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import { chunkOf, chunksOf, stalls, streams, usageChunk } from '#test/helpers/vendors/chat-stream.ts';
import { startOpenaiLike } from '#test/helpers/vendors/openai-like.ts';
import { busy, hangs, refuses, type Turn } from '#test/helpers/vendors/vendor-server.ts';

const offered: Offered = { model: 'm', price: {}, latency: { base: 1 }, quality: 1 };
const never = new AbortController().signal;

interface ReadInput {
  readonly url: string;
  readonly limits?: Partial<TextLimits>;
  readonly signal?: AbortSignal;
  readonly provider?: Partial<Provider>;
  readonly hear?: (delta: TextDelta) => void;
}

async function read({
  url,
  limits = {},
  signal = never,
  provider = {},
  hear = () => {},
}: ReadInput): Promise<TextDelta[]> {
  const deltas: TextDelta[] = [];
  const one: Provider = { id: 'one', title: 'One', style: 'openai-compatible', url, capabilities: {}, ...provider };
  const request = { messages: [{ role: 'user', content: 'x' }] } as const;
  const call = { provider: one, offered, request, maxTokens: 10, signal, limits: { ...textLimits, ...limits } };
  for await (const came of streamText(call)) {
    deltas.push(...came);
    for (const delta of came) hear(delta);
  }
  return deltas;
}

const elsewhere: Turn = (response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();

const server = async (turn?: Turn) => await startOpenaiLike(turn ? { chat: [turn] } : {});

test('text, calls, the reason of the end and the tokens come in order, over one connection for two calls', async () => {
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const answer = [chunkOf({ content: 'a' }), chunkOf({ tool_calls: [call] }), chunkOf({}, 'function_call')];
  const ports: (number | undefined)[] = [];
  const turn: Turn = (response, request) => {
    ports.push(response.socket?.remotePort);
    streams([...answer, usageChunk(1, 2)])(response, request);
  };
  await using vendor = await startOpenaiLike({ chat: [turn, turn] });
  expect(await read(vendor)).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'tool', index: 0, id: 'c', name: 'f', arguments: '{}' },
    { kind: 'finish', reason: 'tool_calls' },
    { kind: 'usage', usage: { inputTokens: 1, outputTokens: 2 } },
  ]);
  await read(vendor);
  expect(new Set(ports).size).toBe(1);
  expect(vendor.received('chat')[1]?.body).toMatchObject({ model: 'm', stream: true, max_completion_tokens: 10 });
});

test('events are read however the network cuts them', async () => {
  const bytes = Buffer.from(chunksOf(['Ä', '😀']).join(''));
  await using vendor = await server((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const byte of bytes) response.write(Buffer.from([byte]));
    response.end();
  });
  const text = (await read(vendor)).map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
  expect(text).toBe('Ä😀');
});

test.each([
  ['never answers', hangs],
  ['sends a head and nothing more', streams([], (response) => response.flushHeaders())],
])('error: a service that %s', async (_, turn) => {
  await using vendor = await server(turn);
  const failure = read({ ...vendor, limits: { firstMs: 50 } });
  await expect(failure).rejects.toMatchObject({ code: 'provider_failed' });
  await expect(failure).rejects.not.toBeInstanceOf(EffectRefused);
});

test('error: a service that falls silent in the middle', async () => {
  await using vendor = await server(streams([chunkOf({ content: 'a' })], stalls));
  const heard: TextDelta[] = [];
  await expect(read({ ...vendor, limits: { idleMs: 50 }, hear: (delta) => heard.push(delta) })).rejects.toMatchObject({
    code: 'provider_failed',
  });
  expect(heard).toEqual([{ kind: 'text', text: 'a' }]);
});

test('error: more in all than the limit', async () => {
  await using vendor = await server(streams(Array.from({ length: 50 }, () => chunkOf({ content: 'a'.repeat(100) }))));
  await expect(read({ ...vendor, limits: { bytes: 2_000 } })).rejects.toThrow(/at most 2000 bytes/);
});

test.each([
  ['busy', busy, 'provider_failed'],
  ['unwanted', refuses, 'provider_refused'],
  ['elsewhere', elsewhere, 'provider_failed'],
])('error: an answer that says that nothing was done: %s', async (_, turn, code) => {
  await using vendor = await server(turn);
  const failure = await read(vendor).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(EffectRefused);
  expect(failure).toMatchObject({ code });
  expect(vendor.received('chat')).toHaveLength(1);
});

test('error: a provider that cannot be reached, or has no key here, was sent nothing', async () => {
  const vendor = await server();
  await vendor[Symbol.asyncDispose]();
  await expect(read(vendor)).rejects.toBeInstanceOf(EffectRefused);
  await expect(read({ ...vendor, provider: { credential: 'NO_SUCH_KEY' } })).rejects.toBeInstanceOf(EffectRefused);
});

test('error: the signal’s own reason, before and in the middle', async () => {
  await using vendor = await server(streams([chunkOf({ content: 'a' })], stalls));
  const stop = new AbortController();
  await expect(read({ ...vendor, signal: stop.signal, hear: () => stop.abort(new Error('enough')) })).rejects.toThrow(
    'enough',
  );
  await expect(read({ ...vendor, signal: stop.signal })).rejects.toThrow('enough');
  expect(vendor.received('chat')).toHaveLength(1);
});
