import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { inFlight } from '#bench/lib/flight.ts';
import type { Wanted } from './chat-upstream.ts';

/** A server of OpenAI's chat completions, and its address. */
export interface Target {
  /** With the part of the path before `/chat/completions`. */
  readonly url: string;
  readonly key: string;
}

export interface ChatLoad extends Target {
  readonly wanted: Wanted;
  readonly stream: boolean;
  readonly clients: number;
  readonly count: number;
}

/** Times in ms from the request: to the first token, and to the end. */
export interface ChatTimes {
  readonly seconds: number;
  readonly tokens: number;
  readonly first: readonly number[];
  readonly whole: readonly number[];
}

const TOKEN = Buffer.from('token ');
const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
const held: ClientRequest[] = [];

answerCalls({
  /** Asks `count` times, `clients` at once, over kept connections. @throws on another answer than a whole one */
  run: async ({ count, clients, ...load }: ChatLoad): Promise<ChatTimes> => {
    const [first, whole]: [number[], number[]] = [[], []];
    let tokens = 0;
    const from = now();
    await inFlight(count, clients, async () => {
      const since = now();
      const { response } = await ask(load);
      let came = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        const found = countTokens(chunk);
        if (came === 0 && found > 0) first.push(now() - since);
        came += found;
      }
      whole.push(now() - since);
      tokens += came;
    });
    const seconds = (now() - from) / 1_000;
    if (tokens !== count * load.wanted.tokens)
      throw new Error(`expected ${count * load.wanted.tokens} tokens, got ${tokens}`);
    return { seconds, tokens, first, whole };
  },
  /** Opens streams that stay, each at its first token. */
  hold: async ({ count, clients, ...load }: ChatLoad) => {
    await inFlight(count, clients, async () => {
      const { call, response } = await ask(load);
      held.push(call);
      response.on('error', () => {});
      await once(response, 'data');
    });
  },
  close: () => {
    for (const call of held.splice(0)) call.destroy();
  },
});

type ChatRequest = Pick<ChatLoad, 'url' | 'key' | 'wanted' | 'stream'>;

async function ask({
  url,
  key,
  wanted,
  stream,
}: ChatRequest): Promise<{ call: ClientRequest; response: IncomingMessage }> {
  const body = JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content: JSON.stringify(wanted) }],
    ...(stream && { stream: true }),
  });
  const call = request(`${url}/chat/completions`, {
    method: 'POST',
    agent,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  call.setNoDelay(true);
  call.end(body);
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  if (response.statusCode === 200) return { call, response };
  const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
  throw new Error(`expected 200, got ${response.statusCode}: ${text.slice(0, 500)}`);
}

/** A token that is cut in two by its packets is missed, and the sum says so: events are written whole. */
function countTokens(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(TOKEN); at >= 0; at = chunk.indexOf(TOKEN, at + TOKEN.length)) count++;
  return count;
}
