import type { StreamEvent } from './job.ts';
import { type LinkedSignal, linkSignal } from './linked-signal.ts';
import { backoff, pause } from './pause.ts';
import { ProoflineError } from './proofline-error.ts';
import { type Connection, openAnswer, unreachable } from './request.ts';
import { createParser } from './server-sent-events.ts';

export interface FollowOptions {
  /** Cursor to go on behind: `id` of the last event that was seen. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called each time the stream is there, and each time it is cut. */
  readonly onConnection?: (isOpen: boolean) => void;
}

/** A stream that is silent for so long, signs of life included, counts as cut, ms. */
const quietMs = 60_000;

/**
 * Follows a stream of server-sent events, and goes on behind the last one after every cut. Ends behind the event for
 * which `ends` holds, or where the server says that there is nothing more.
 *
 * @throws ProoflineError where the server refuses the stream for good; the reason of the signal.
 */
export async function* follow(
  connection: Connection,
  path: string,
  { after, signal, onConnection = () => {} }: FollowOptions,
  ends: (event: StreamEvent) => boolean,
): AsyncGenerator<StreamEvent, void, undefined> {
  let cursor = after;
  let failures = 0;
  const parts = { retryMs: connection.backoffMs };
  for (;;) {
    try {
      for await (const event of connect(connection, path, cursor, signal, parts, onConnection)) {
        if (event === 'over') return;
        failures = 0;
        cursor = event.id ?? cursor;
        if (event.type === 'heartbeat') continue;
        if (event.type === 'revoked') throw revoked(event);
        yield event;
        if (ends(event)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProoflineError) || !error.retryable) throw error;
      failures += 1;
      await pause(error.retryAfterMs ?? 0, signal);
    }
    await pause(Math.max(parts.retryMs, backoff(connection.backoffMs, failures)), signal);
  }
}

/** One connection, until it is cut; `over` where the server says that nothing comes any more. */
async function* connect(
  connection: Connection,
  path: string,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
  parts: { retryMs: number },
  onConnection: (isOpen: boolean) => void,
): AsyncGenerator<StreamEvent | 'over', void, undefined> {
  const name = `GET ${path}`;
  const headers = { accept: 'text/event-stream', ...(cursor !== undefined && { 'last-event-id': cursor }) };
  const link = linkSignal(signal, quietMs, () => unreachable(connection, name, new Error(`silent for ${quietMs} ms`)));
  let isOpen = false;
  try {
    const response = await openAnswer(connection, { method: 'GET', path, headers }, link.signal);
    if (response.status === 204 || response.body === null) {
      yield 'over';
      return;
    }
    isOpen = true;
    onConnection(true);
    const parser = createParser();
    for await (const text of textsOf(response.body, link)) {
      for (const { id, data } of parser.push(text))
        yield { ...(JSON.parse(data) as StreamEvent), ...(id !== undefined && { id }) };
      parts.retryMs = parser.retryMs() ?? parts.retryMs;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) throw unreadable(name, error);
    throw error instanceof ProoflineError ? error : unreachable(connection, name, error);
  } finally {
    link.release();
    if (isOpen) onConnection(false);
  }
}

async function* textsOf(body: ReadableStream<Uint8Array>, link: LinkedSignal): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      link.refresh();
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // ends the connection where the reader leaves in the middle; one that is cut already has nothing to say to it
    await reader.cancel().catch(() => {});
  }
}

function revoked({ data }: StreamEvent): ProoflineError {
  const reason = typeof data['reason'] === 'string' ? `: ${data['reason']}` : '';
  return new ProoflineError(`The key of this stream was revoked${reason}.`, { code: 'unauthorized', status: 401 });
}

function unreadable(name: string, cause: unknown): ProoflineError {
  return new ProoflineError(`${name}: expected JSON in each event, got a text that is not JSON.`, {
    code: 'unreadable_answer',
    cause,
  });
}
