import { chunkOf, resets, streams } from '#test/helpers/vendors/chat-stream.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import type { OpenaiRoute } from '#test/helpers/vendors/openai-like.ts';
import {
  answersJson,
  away,
  breaks,
  broken,
  busy,
  half,
  hangs,
  page,
  refuses,
  type Turn,
} from '#test/helpers/vendors/vendor-server.ts';

/** What a vendor bills for each thing that it does, in millionths of a dollar. */
export const price = 10_000;

/** A kind of call, as a client of the platform makes it. */
export interface Kind {
  readonly name: string;
  /** The route of its vendor; none for films, which have one of their own. */
  readonly route: OpenaiRoute | null;
  /** How an answer of it is cut in the middle. */
  readonly cut: Turn;
  /** What the vendor bills for an answer that it gave whole, and for one that was cut. */
  readonly bills: number;
  readonly billsCut: number;
  readonly path: string;
  readonly body: object;
  readonly suffix?: string;
}

export const messages = [{ role: 'user', content: 'What is there?' }];
const cutText = streams([chunkOf({ content: 'A light' })], resets);
const text = {
  route: 'chat' as const,
  cut: cutText,
  bills: 2_050,
  // the five tokens that it read, and the two that it wrote
  billsCut: 5 + 2 * 2,
  path: '/chat/completions',
};
export const kinds: readonly Kind[] = [
  { ...text, name: 'text', body: { messages } },
  { ...text, name: 'streamed text', body: { messages, stream: true } },
  {
    name: 'picture',
    route: 'generate',
    cut: half('application/json', Buffer.from(JSON.stringify({ data: [{ b64_json: pngOf().toString('base64') }] }))),
    bills: price,
    billsCut: price,
    path: '/images/generations',
    body: { prompt: 'a lighthouse' },
  },
  {
    name: 'speech',
    route: 'speech',
    cut: half('audio/wav', wavOf()),
    bills: price,
    billsCut: price,
    path: '/audio/speech',
    body: { input: 'Good evening.' },
  },
  {
    name: 'transcript',
    route: 'transcribe',
    cut: half('application/json', Buffer.from(JSON.stringify({ text: 'Good evening.' }))),
    bills: price,
    billsCut: price,
    path: '/audio/transcriptions',
    body: { file: `data:audio/wav;base64,${wavOf().toString('base64')}` },
  },
  {
    name: 'film',
    route: null,
    cut: half('application/json', Buffer.from(JSON.stringify({ id: 'a', status: 'starting', output: null }))),
    bills: price,
    billsCut: price,
    path: '/videos/generate',
    body: { prompt: 'a harbour', seconds: 2 },
    suffix: '-films',
  },
];

/** How a call ends, and what the books have to say then. */
export interface End {
  readonly name: string;
  readonly turn: Turn | 'cut' | 'usual';
  /** What the vendor has done by then, and bills. */
  readonly vendor: 'nothing' | 'half' | 'all';
  readonly books: 'released' | 'unknown' | 'settled';
  readonly provider?: string;
  /** Whether another provider is asked. */
  readonly ends?: true;
}

const headOnly: Turn = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 }).flushHeaders();
  setImmediate(() => response.socket?.resetAndDestroy());
};

export const ends: readonly End[] = [
  { name: 'a whole answer', turn: 'usual', vendor: 'all', books: 'settled' },
  { name: 'a refused connection', turn: 'usual', vendor: 'nothing', books: 'released', provider: 'closed' },
  { name: 'a name that leads nowhere', turn: 'usual', vendor: 'nothing', books: 'released', provider: 'nameless' },
  { name: '422', turn: refuses, vendor: 'nothing', books: 'released', ends: true },
  { name: '401', turn: answersJson(401, {}), vendor: 'nothing', books: 'released' },
  { name: '404', turn: answersJson(404, {}), vendor: 'nothing', books: 'released' },
  { name: '429', turn: busy, vendor: 'nothing', books: 'released' },
  { name: '503', turn: away, vendor: 'nothing', books: 'released' },
  { name: '500', turn: broken, vendor: 'half', books: 'unknown' },
  { name: '500 that is declared', turn: broken, vendor: 'nothing', books: 'released', provider: 'declared' },
  { name: '503 that is not declared', turn: away, vendor: 'half', books: 'unknown', provider: 'declared' },
  { name: 'a reset before the head', turn: breaks, vendor: 'half', books: 'unknown' },
  { name: 'a reset after the head', turn: headOnly, vendor: 'half', books: 'unknown' },
  { name: 'an answer that is cut', turn: 'cut', vendor: 'half', books: 'unknown' },
  { name: 'a page', turn: page, vendor: 'half', books: 'unknown' },
  { name: 'no answer', turn: hangs, vendor: 'half', books: 'unknown', provider: 'impatient' },
];
