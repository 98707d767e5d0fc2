import { type NetConnectOpts, type Socket, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';

/**
 * Connects as ioredis does, but what is written in one turn leaves together. A settled batch lets a hundred jobs go on
 * at once, and ioredis makes a system call of each command: with this it is one, and Redis reads and answers them
 * together. Nothing is held back for an answer, as it is by ioredis' own pipelining.
 */
export class CoalescingConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  constructor(options: unknown) {
    const redisOptions = options as RedisOptions;
    super(redisOptions.disconnectTimeout ?? 2_000);
    this.#options = redisOptions;
  }

  override async connect(): Promise<Socket> {
    const { tls: secure } = this.#options;
    const address = this.address(this.#options);
    this.connecting = true;
    this.stream = coalesceWrites(secure ? tls({ ...address, ...secure }) : tcp(address));
    this.stream.once('error', (error) => {
      this.firstError = error;
    });
    return this.stream;
  }

  protected address({ host, port }: RedisOptions): NetConnectOpts {
    return { host, port } as NetConnectOpts;
  }
}

/** One that goes to the next of these nodes with every connection, beginning anywhere. */
export function connectorInTurn(nodes: readonly { readonly host: string; readonly port: number }[]) {
  let turn = Math.floor(Math.random() * nodes.length);
  return class extends CoalescingConnector {
    protected override address(options: RedisOptions) {
      return nodes[turn++ % nodes.length] ?? super.address(options);
    }
  };
}

/** Keeps what is written until the callbacks that are due now have run. */
function coalesceWrites<S extends Socket>(socket: S): S {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const uncork = () => socket.uncork();
  const coalesced = (...args: unknown[]): boolean => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(uncork);
    }
    return write(...args);
  };
  return Object.assign(socket, { write: coalesced });
}
