import type { ServerResponse } from 'node:http';
import { chunkOf, done, usageChunk } from '#test/helpers/vendors/chat-stream.ts';
import type { Turn } from '#test/helpers/vendors/vendor-server.ts';

/** An answer of a provider of text that a test says piece by piece. */
export interface Speech {
  readonly turn: Turn;
  /** Resolves when it has been asked. */
  readonly begun: Promise<unknown>;
  /** Resolves when the one that asked has left. */
  readonly left: Promise<void>;
  readonly say: (...texts: string[]) => void;
  /** One piece, as the protocol has it. */
  readonly tell: (delta: object, finish?: string | null) => void;
  /** The last piece and the usage. */
  readonly finish: (reason?: string) => void;
  /** Cuts the connection in the middle. */
  readonly cut: () => void;
}

export function openSpeech(): Speech {
  const asked = Promise.withResolvers<unknown>();
  const left = Promise.withResolvers<void>();
  let said: string[] = [];
  let response: ServerResponse | null = null;
  const write = (text: string) => {
    if (response) response.write(text);
    else said.push(text);
  };
  const tell: Speech['tell'] = (delta, finish = null) => write(chunkOf(delta, finish));
  return {
    turn: (answer, { body }) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.flushHeaders();
      answer.on('close', () => left.resolve());
      response = answer;
      for (const text of said) answer.write(text);
      said = [];
      asked.resolve(body);
    },
    begun: asked.promise,
    left: left.promise,
    say: (...texts) => texts.forEach((content) => tell({ content })),
    tell,
    finish: (reason = 'stop') => {
      tell({}, reason);
      write(usageChunk(3, 2) + done);
      response?.end();
    },
    cut: () => response?.socket?.destroy(),
  };
}

/** An answer that is said at once. */
export function speaks(...texts: string[]): Turn {
  return (response, asked) => {
    const speech = openSpeech();
    speech.turn(response, asked);
    speech.say(...texts);
    speech.finish();
  };
}
