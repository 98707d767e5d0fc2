import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be made to swallow what goes over it, as a server does that is stopped. */
export interface SilentProxy extends AsyncDisposable {
  /** The server's address, by way of this line. */
  readonly url: string;
  /** Nothing passes any more, on new connections either; all of them stay open. */
  readonly silence: () => void;
  /** Nothing passes any more on the connections that there are; new ones work. */
  readonly silenceOld: () => void;
  /** Nothing passes on the next connection that is opened; it stays open. */
  readonly silenceNext: () => void;
  /** Number of connections that were opened so far. */
  readonly opened: () => number;
  /** Lets the data pass that was held back. */
  readonly resume: () => void;
}

export async function silentProxy(server: string): Promise<SilentProxy> {
  const target = new URL(server);
  const pairs = new Set<readonly [Socket, Socket]>();
  let silent = false;
  let isNextSilent = false;
  let opened = 0;
  const hold = () => {
    for (const pair of pairs) for (const socket of pair) socket.pause();
  };
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (data) => void to.write(data));
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    };
    forward(near, far);
    forward(far, near);
    near.on('close', () => pairs.delete(pair));
    opened++;
    if (silent) hold();
    else if (isNextSilent) for (const socket of pair) socket.pause();
    isNextSilent = false;
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      silent = true;
      hold();
    },
    silenceOld: hold,
    silenceNext: () => {
      isNextSilent = true;
    },
    opened: () => opened,
    resume: () => {
      silent = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      proxy.close();
    },
  };
}
