import { createParser, type EventSourceMessage } from 'eventsource-parser';
import WebSocket from 'ws';

/** An SSE connection: its answer, and its events as they come. Iteration ends when the server closes. */
export async function openSse(url: string, headers: Record<string, string>) {
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  const comments: string[] = [];
  async function* events(): AsyncGenerator<EventSourceMessage> {
    const ready: EventSourceMessage[] = [];
    const parser = createParser({
      onEvent: (event) => void ready.push(event),
      onComment: (comment) => void comments.push(comment),
    });
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      parser.feed(chunk);
      while (ready.length > 0) yield ready.shift() as EventSourceMessage;
    }
  }
  return { response, comments, events: events(), close: () => stop.abort() };
}

/** A WebSocket: its messages as they come, save heartbeats, which come when a machine is slow, and how it was closed. */
export function openWebSocket(url: string, headers: Record<string, string>, { heartbeats = false } = {}) {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers });
  const messages: { id?: string; type: string; at: string; data: unknown }[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as (typeof messages)[number];
    if (heartbeats || message.type !== 'heartbeat') messages.push(message);
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const refused = new Promise<number>((resolve) =>
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0)),
  );
  const opened = new Promise<void>((resolve) => socket.on('open', resolve));
  socket.on('error', () => {});
  const next = (count: number) =>
    new Promise<typeof messages>((resolve) => {
      const look = () => messages.length >= count && resolve(messages);
      socket.on('message', look);
      look();
    });
  return { socket, messages, closed, refused, opened, next };
}
