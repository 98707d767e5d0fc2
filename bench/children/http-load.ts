import { connect, type Socket } from 'node:net';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { payload } from '#bench/load/trivial.ts';

/** Posts jobs over kept connections, one request at a time on each, with as little work of its own as can be. */
interface Load {
  readonly port: number;
  readonly key: string;
  readonly count: number;
  readonly connections: number;
  /** Route of the trivial job that is compiled in without one. */
  readonly path?: string;
  readonly body?: unknown;
}

answerCalls({
  post: async ({ port, key, count, connections, path = '/bench/jobs', body: sent = payload }: Load) => {
    const body = JSON.stringify(sent);
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nprefer: respond-async\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const from = now();
    let left = count;
    const lane = async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      while (left-- > 0) await exchange(socket, head + body);
      socket.destroy();
    };
    await Promise.all(Array.from({ length: connections }, lane));
    return { from, to: now() };
  },
});

async function exchange(socket: Socket, request: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  const hear = (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (text.length < head + 4 + length) return;
    if (text.startsWith('HTTP/1.1 202')) resolve();
    else reject(new Error(`expected 202, got ${text.slice(0, 500)}`));
  };
  socket.on('data', hear);
  socket.once('error', reject);
  socket.write(request);
  try {
    await promise;
  } finally {
    socket.off('data', hear);
    socket.off('error', reject);
  }
}
