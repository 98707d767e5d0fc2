import { errorOf, ProoflineError } from '@proofline/client';
import { deferred } from '../async/deferred.ts';
import type { Transport } from './transport.ts';

interface Answer {
  readonly id: number;
  readonly status: number;
  readonly body?: unknown;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** The sockets of Node and Bun take headers, those of browsers do not. */
type SocketWithHeaders = new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/**
 * All messages over one socket, which is opened by the first one and again after a cut.
 *
 * @throws TypeError where the platform has no WebSocket, as Node 20
 */
export function webSocketTransport({ url, key }: { readonly url: string; readonly key: string }): Transport {
  const Socket = (globalThis as { WebSocket?: unknown }).WebSocket as SocketWithHeaders | undefined;
  if (Socket === undefined)
    throw new TypeError('transport: expected a platform with WebSocket, such as Node 22, got one without; use http.');
  const address = `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws/v1/workers`;
  const waiting = new Map<number, Waiting>();
  let opening: Promise<WebSocket> | undefined;
  let last = 0;

  const open = async (): Promise<WebSocket> => {
    const opened = deferred<WebSocket>();
    const socket = new Socket(address, { headers: { authorization: `Bearer ${key}` } });
    socket.addEventListener('open', () => opened.resolve(socket));
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      const answer = answerOf(String(data));
      // what else cannot be read, cannot be waited for either
      if (answer === null) socket.close(4_000, 'an answer that is not JSON');
      else waiting.get(answer.id)?.resolve(answer);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      opening = undefined;
      const error = cut(address, `closed with ${code}${reason === '' ? '' : `, ${reason}`}`);
      opened.reject(error);
      for (const { reject } of waiting.values()) reject(error);
    });
    return await opened.promise;
  };

  return {
    send: async <Result>(
      kind: string,
      worker: string | null,
      text: string,
      { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
    ) => {
      signal?.throwIfAborted();
      last += 1;
      const id = last;
      const answered = deferred<Answer>();
      const stop = () => answered.reject(signal?.reason);
      const timer = setTimeout(() => answered.reject(cut(address, `silent for ${timeoutMs} ms`)), timeoutMs);
      signal?.addEventListener('abort', stop);
      waiting.set(id, answered);
      try {
        opening ??= open();
        // a socket that cannot be opened rejects every message that waits for it
        opening.then((socket) => socket.send(messageOf(id, kind, worker, text)), answered.reject);
        const { status, body } = await answered.promise;
        if (status >= 200 && status < 300) return body as Result;
        throw errorOf(kind, status, body);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        waiting.delete(id);
      }
    },
    close: () => {
      opening?.then(
        (socket) => socket.close(1000),
        // it never opened
        () => {},
      );
    },
  };
}

function answerOf(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null;
  }
}

/** One message: its parts before those of the body, which is JSON already. */
function messageOf(id: number, type: string, worker: string | null, body: string): string {
  const head = JSON.stringify({ id, type, ...(worker !== null && { worker }) });
  return body === '{}' ? head : `${head.slice(0, -1)},${body.slice(1)}`;
}

function cut(address: string, why: string): ProoflineError {
  return new ProoflineError(`expected an answer over ${address}, got none (${why}).`, {
    code: 'unreachable',
    retryable: true,
  });
}
