import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createParser, type ParseError } from 'eventsource-parser';
import { AppError } from '#src/lib/errors.ts';
import { type BadEnd, endedCall, endOfStatus } from '#src/providers/calls/call-ends.ts';
import { callTimeoutMs, type Offered, type Provider } from '#src/providers/catalogue/catalogue.ts';
import { withoutIgnored } from '#src/providers/catalogue/left-out.ts';
import { assertTaken, authorizationOf, unanswered } from '#src/providers/http/vendor-http.ts';
import { NotSent } from '#src/system/outside/outside.ts';
import { openOutside } from '#src/system/outside/outside-stream.ts';
import type { TextDelta, TextRequest } from './text.ts';
import { isError, readPiece, wireBody } from './wire.ts';

const MIB = 1_048_576;
/** Longest time in milliseconds for the connection of a complete answer to become free. */
const END_MS = 500;

/** Limits of an answer; the whole call is bounded by the provider's own time too. */
export const textLimits = {
  /** Until the head of the answer, and until its first bytes after that. */
  firstMs: 120_000,
  /** Between two pieces of it. */
  idleMs: 60_000,
  /** In all, once an answer has said why it ends: for its tokens, and its own end. */
  endMs: 1_000,
  /** Characters of one event, before it is whole. */
  eventCharacters: MIB,
  bytes: 64 * MIB,
  /** Bytes of an answer that reports an error, and of one that is JSON although a stream was requested. */
  wholeBytes: 16 * MIB,
} as const;
export type TextLimits = { readonly [K in keyof typeof textLimits]: number };

export interface TextCall {
  readonly provider: Provider;
  readonly offered: Offered;
  readonly request: TextRequest;
  /** Most tokens that may come. */
  readonly maxTokens: number;
  /** Ends the call; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly limits?: TextLimits;
  /**
   * Bearer key of a service outside the catalogue, null for none; without this member the provider's own key is sent.
   */
  readonly key?: string | null;
}

/**
 * Streams one turn of a service that speaks OpenAI's chat completions, piece by piece as it comes, those of one read together: at least one
 * piece, and one of them says why it ended. A service that answers with JSON in one is read too. A reader that stops ends the
 * call.
 *
 * @throws the signal's reason; AppError `provider_refused` for a request that is not wanted, `provider_failed` for
 *   all else: no answer in time, another protocol, an error in the middle, a broken connection, an end without a
 *   reason, or more than the limits; an EffectRefused where nothing was billed, as `callEnds` says
 */
export async function* streamText(call: TextCall): AsyncGenerator<readonly TextDelta[]> {
  const { provider, signal, limits = textLimits } = call;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal, AbortSignal.timeout(callTimeoutMs(provider))]);
  const headMs = Math.min(limits.firstMs, callTimeoutMs(provider));
  let answer: IncomingMessage | undefined;
  let finished = false;
  let isWhole = false;
  try {
    answer = await open(call, headMs, until);
    const isStream = answer.statusCode === 200 && /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '');
    for await (const deltas of isStream ? readStream(call, answer, limits) : readWhole(call, answer, limits)) {
      if (deltas.some(({ kind }) => kind === 'finish')) finished = true;
      yield deltas;
    }
    isWhole = true;
    if (!finished) throw failed(provider, 'broken_off', 'an answer that says why it ends', 'one that ends without');
  } catch (error) {
    signal.throwIfAborted();
    // all that was wanted had come
    if (finished) return;
    if (error instanceof AppError && !(error instanceof NotSent)) throw error;
    if (until.aborted) throw unanswered(provider, until.reason, callTimeoutMs(provider));
    throw unanswered(provider, error, headMs);
  } finally {
    if (answer && isWhole) closeAnswer(answer, over);
    else over.abort();
  }
}

/** Keeps a connection whose answer is read to its end for the next call; closes any other. */
function closeAnswer(answer: IncomingMessage, over: AbortController): void {
  if (answer.readableEnded) return;
  const timer = setTimeout(() => over.abort(), END_MS);
  answer.on('error', () => {}).on('close', () => clearTimeout(timer));
  answer.resume();
}

async function open({ provider, offered, request, maxTokens, key }: TextCall, headMs: number, signal: AbortSignal) {
  const base = provider.url ?? '';
  const body = JSON.stringify({
    ...withoutIgnored(wireBody(offered.model, request, maxTokens), offered),
    ...ownParameters(offered),
  });
  return await openOutside({
    url: `${base.replace(/\/+$/, '')}/chat/completions`,
    origins: [new URL(base).origin],
    method: 'POST',
    headers: {
      accept: 'text/event-stream, application/json',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...(key === undefined ? authorizationOf(provider) : key !== null && { authorization: `Bearer ${key}` }),
    },
    body,
    timeoutMs: headMs,
    signal,
  });
}

/** Returns the operator's parameters of every call; the bound on tokens is in `maxTokens` already. */
function ownParameters({ parameters = {} }: Offered): object {
  const { max_completion_tokens: _bound, ...own } = parameters;
  return own;
}

async function* readStream(
  { provider }: TextCall,
  answer: IncomingMessage,
  limits: TextLimits,
): AsyncGenerator<readonly TextDelta[], void> {
  let texts: string[] = [];
  let wrong: ParseError | undefined;
  const parser = createParser({
    onEvent: ({ data }) => texts.push(data),
    // a field that no standard knows is passed over, as browsers do
    onError: (error) => (wrong = error.type === 'unknown-field' || error.type === 'invalid-retry' ? wrong : error),
    maxBufferSize: limits.eventCharacters,
  });
  const decoder = new StringDecoder('utf8');
  const pace = { hasEnded: false };
  let hasBegun = false;
  for await (const chunk of bounded(provider, answer, limits, limits.bytes, pace)) {
    parser.feed(decoder.write(chunk));
    const got = texts;
    texts = [];
    const deltas: TextDelta[] = [];
    let unreadable: string | undefined;
    let isDone = false;
    for (const text of got) {
      isDone = text === '[DONE]';
      if (isDone) break;
      const piece = readPiece(text);
      if (!piece) unreadable = text;
      if (!piece) break;
      for (const delta of piece) {
        deltas.push(delta);
        if (delta.kind === 'finish') pace.hasEnded = true;
      }
    }
    if (deltas.length > 0) {
      hasBegun = true;
      yield deltas;
    }
    if (unreadable !== undefined) throw unread(provider, 'a piece of a completion', unreadable, hasBegun);
    if (isDone) return;
    if (wrong)
      throw failed(provider, 'unreadable', `events of at most ${limits.eventCharacters} characters`, 'a longer one');
  }
}

async function* readWhole(
  { provider }: TextCall,
  answer: IncomingMessage,
  limits: TextLimits,
): AsyncGenerator<readonly TextDelta[], void> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(provider, answer, limits, limits.wholeBytes)) chunks.push(chunk);
  const { statusCode = 0, headers } = answer;
  const contentType = headers['content-type'] ?? null;
  const body = Buffer.concat(chunks);
  assertTaken({ provider }, { status: statusCode, contentType, headers, body });
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType ?? ''))
    throw failed(
      provider,
      'unreadable',
      'events or JSON',
      `content of type ${JSON.stringify((contentType ?? 'none').slice(0, 100))}`,
    );
  const text = body.toString('utf8');
  const deltas = readPiece(text);
  if (!deltas) throw unread(provider, 'a completion', text, false);
  yield deltas;
}

/**
 * The bytes of an answer, none of them late, and not too many of them. A slow reader makes nothing late.
 *
 * @param pace says since when the answer has ended, and only its tokens and its own end are waited for
 */
async function* bounded(
  provider: Provider,
  answer: IncomingMessage,
  { firstMs, idleMs, endMs }: TextLimits,
  most: number,
  pace: { readonly hasEnded: boolean } = { hasEnded: false },
): AsyncGenerator<Buffer> {
  let size = 0;
  let endLeftMs: number = endMs;
  let isWaiting = true;
  const startTimer = (waitMs: number) =>
    setTimeout(() => {
      if (isWaiting) answer.destroy(failed(provider, 'timed_out', `bytes within ${waitMs / 1_000} s`, 'none'));
    }, waitMs);
  let since = performance.now();
  let timer = startTimer(firstMs);
  let pieces = 0;
  try {
    for await (const chunk of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      isWaiting = false;
      if (pace.hasEnded) endLeftMs -= performance.now() - since;
      size += chunk.length;
      if (size > most) throw failed(provider, 'unreadable', `an answer of at most ${most} bytes`, 'a longer one');
      yield chunk;
      since = performance.now();
      isWaiting = true;
      pieces++;
      if (pieces > 1 && !pace.hasEnded) {
        // one timer for all pieces: a new one for each cost more than reading it
        timer.refresh();
        continue;
      }
      clearTimeout(timer);
      timer = startTimer(pace.hasEnded ? Math.max(0, endLeftMs) : idleMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Builds the error of an answer that is no part of a completion. Its words are not repeated: they may hold a key. An
 * error before any output comes from a service that had begun its answer with success: it counts as status 500.
 */
function unread(provider: Provider, expected: string, text: string, hasBegun: boolean): AppError {
  if (!isError(text)) return failed(provider, 'unreadable', expected, 'other text');
  return failed(provider, hasBegun ? 'unreadable' : endOfStatus(provider, 500), expected, 'an error');
}

function failed({ id }: Provider, end: BadEnd, expected: string, got: string): AppError {
  return endedCall(end, `expected ${expected} from ${id}, got ${got}.`, { provider: id });
}
