import type { Client } from '@proofline/client';

/** Messages between a worker and the server. */
export type Exchange = 'register' | 'poll' | 'report' | 'leave';

export interface SendOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Way to the server. */
export interface Transport {
  /**
   * Sends a message once and gives its answer.
   *
   * @param worker id of the worker; null before it has one
   * @param text body, as JSON
   * @throws ProoflineError for a refusal, or no answer; the reason of the signal
   */
  readonly send: <Answer>(kind: Exchange, worker: string | null, text: string, options: SendOptions) => Promise<Answer>;
  readonly close: () => void;
}

/** A request for each message. */
export function httpTransport(client: Client): Transport {
  return {
    send: async (kind, worker, text, { timeoutMs, signal }) => {
      const path = worker === null ? '/v1/workers' : `/v1/workers/${encodeURIComponent(worker)}`;
      const options = { timeout: timeoutMs, retries: 0, ...(signal && { signal }) };
      if (kind === 'leave') return await client.call('DELETE', path, options);
      return await client.call('POST', kind === 'register' ? path : `${path}/${kind}`, { ...options, text });
    },
    close: () => {},
  };
}

/** Characters of a message that a socket takes, whatever they are: the API closes one for a message above 1 MiB. */
const SOCKET_CHARACTERS = 300_000;

/** A socket for all but large messages: one that is too long for it would close it, and with it every other message there. */
export function largeBeside(socket: Transport, http: Transport): Transport {
  return {
    send: async (kind, worker, text, options) =>
      await (text.length > SOCKET_CHARACTERS ? http : socket).send(kind, worker, text, options),
    close: () => socket.close(),
  };
}
