import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Message {
  readonly path: string;
  readonly id: string;
  readonly raw: string;
  readonly headers: IncomingMessage['headers'];
}

/** What is done about one message. */
export type Answer = (response: ServerResponse, message: Message) => void;

export const answering =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end();

/** A receiver of webhooks that does what it is told about one message after the other, and the last thing for ever. */
export async function openReceiver(...answers: Answer[]) {
  const messages: Message[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const message: Message = {
        path: request.url ?? '',
        id: String(request.headers['webhook-id']),
        raw: body.toString(),
        headers: request.headers,
      };
      messages.push(message);
      (answers[messages.length - 1] ?? answers.at(-1) ?? answering(204))(response, message);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const TOLERANCE_S = 300;

/**
 * What a message says, where it is from whoever has the secret: checked as Standard Webhooks 1.0 tells receivers to.
 *
 * @throws Error for a message that a receiver would not believe
 */
export function believed({ headers, raw }: Message, secret: string): any {
  const [id = '', timestamp = '', signatures = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => String(headers[name] ?? ''),
  );
  if (id === '' || signatures === '') throw new Error('a header is missing');
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_S)
    throw new Error('too old or too new');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${raw}`).digest();
  const isRight = signatures.split(' ').some((one) => {
    const [version, text = ''] = one.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === right.length && timingSafeEqual(given, right);
  });
  if (!isRight) throw new Error('the signature is wrong');
  return JSON.parse(raw);
}
