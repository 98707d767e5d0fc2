import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Tells of a begin; answers how to tell of its end. Both resolve once the observer has noted it. */
type Tell = (scopes: readonly string[]) => Promise<() => Promise<void>>;

let known: Tell | undefined;

/** The way to the observer on a port of this machine: one connection a process, which the kernel closes with it. */
export function observed(port: number): Tell {
  known ??= open(connect(port, '127.0.0.1'));
  return known;
}

function open(socket: Socket): Tell {
  const noted: (() => void)[] = [];
  let count = 0;
  socket.setNoDelay(true);
  socket.unref();
  // without its observer nothing here counts
  socket.on('error', () => process.exit(1));
  createInterface({ input: socket }).on('line', () => noted.shift()?.());
  const send = async (message: readonly unknown[]) => {
    const answer = Promise.withResolvers<void>();
    noted.push(answer.resolve);
    socket.write(`${JSON.stringify(message)}\n`);
    await answer.promise;
  };
  return async (scopes) => {
    const id = ++count;
    await send(['begin', id, ...scopes]);
    return async () => await send(['end', id]);
  };
}
