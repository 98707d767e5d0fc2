import { createParser } from 'eventsource-parser';
import WebSocket from 'ws';
import type { Transport } from '#src/http/streams/stream-message.ts';

/** An event as it came. */
export interface ReceivedEvent {
  /** None for transient events. */
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

export interface Subscription {
  readonly api: string;
  readonly job: string;
  readonly key: string;
  /** Id of the last event seen. */
  readonly last: string | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ReceivedEvent) => void;
  /** Any sign of life, heartbeats included. */
  readonly stir: () => void;
}

/**
 * One connection to a job's stream, until it ends however; answers whether the server said that nothing more will come.
 */
export const subscribe: Readonly<Record<Transport, (subscription: Subscription) => Promise<boolean>>> = {
  sse: async ({ api, job, key, last, signal, onEvent, stir }) => {
    const parser = createParser({ onEvent: ({ id, event = '', data }) => onEvent({ id, type: event, data }) });
    const answer = await fetch(`${api}/v1/jobs/${job}/events`, {
      headers: { authorization: `Bearer ${key}`, ...(last !== undefined && { 'last-event-id': last }) },
      signal,
    });
    if (answer.status === 204) return true;
    if (answer.status !== 200 || !answer.body) return false;
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      stir();
      parser.feed(text);
    }
    return false;
  },
  websocket: async ({ api, job, key, last, signal, onEvent, stir }) => {
    const query = last === undefined ? '' : `?last_event_id=${encodeURIComponent(last)}`;
    const url = `${api.replace('http', 'ws')}/ws/v1/jobs/${job}${query}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    const cut = () => socket.terminate();
    signal.addEventListener('abort', cut, { once: true });
    if (signal.aborted) cut();
    socket.on('ping', stir);
    socket.on('message', (message: Buffer) => {
      stir();
      const text = message.toString();
      const { id, type } = JSON.parse(text) as { id?: string; type: string };
      onEvent({ id, type, data: text });
    });
    // refused, or cut off: the close that follows tells all
    socket.on('error', () => {});
    const reason = await new Promise<string>((resolve) =>
      socket.once('close', (_code, why: Buffer) => resolve(why.toString())),
    );
    signal.removeEventListener('abort', cut);
    return reason === 'terminal';
  },
};
