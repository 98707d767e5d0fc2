import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { base64Of } from '#src/lib/crypto/base64url.ts';
import { signatureOf } from '#src/lib/crypto/ed25519.ts';
import { type TestKey, testKey } from './sample.ts';

export interface SignRequest {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly kid: string;
  /** Base64. */
  readonly message: string;
}

/** How the signer answers one request. */
export type Signing = (response: ServerResponse, asked: SignRequest, keys: readonly TestKey[]) => void;

/** As the contract has it: the signature of the key that was named, or 404. */
export const signs: Signing = (response, asked, keys) => {
  const key = keys.find(({ kid }) => kid === asked.kid);
  if (key) gives(base64Of(signatureOf(Buffer.from(asked.message, 'base64'), key.secretKey)))(response, asked, keys);
  else response.writeHead(404).end();
};

/** This as the signature, whatever was asked. */
export const gives =
  (signature: unknown): Signing =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ signature }));

/** A signature of another key, over the message. */
export const signsAsAnother: Signing = (response, asked, keys) =>
  gives(base64Of(signatureOf(Buffer.from(asked.message, 'base64'), testKey(99).secretKey)))(response, asked, keys);

/** A signature of the key, over something else. */
export const signsAnother: Signing = (response, asked, keys) =>
  gives(base64Of(signatureOf(Uint8Array.of(1), keys.find(({ kid }) => kid === asked.kid)!.secretKey)))(
    response,
    asked,
    keys,
  );

export const hangs: Signing = () => {};
export const breaks: Signing = (response) => void response.destroy();

/** A signer outside the process, with keys by number. */
export async function signerServer(...numbers: readonly number[]) {
  const keys = numbers.map(testKey);
  const told = new EventEmitter();
  const asked: SignRequest[] = [];
  let signing = signs;
  const server = createServer((request, response) => {
    void (async () => {
      const { kid, message } = (await json(request)) as { kid: string; message: string };
      asked.push({ path: request.url, authorization: request.headers.authorization, kid, message });
      signing(response, asked.at(-1)!, keys);
      told.emit('asked');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    keys,
    asked: asked as readonly SignRequest[],
    answersWith: (next: Signing) => void (signing = next),
    /** Once it has been asked so many times more. */
    askedAgain: async (times: number) => {
      const from = asked.length;
      while (asked.length < from + times) await once(told, 'asked');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
