import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { answerCalls } from '#bench/lib/calls.ts';
import { now } from '#bench/lib/clock.ts';
import { inFlight } from '#bench/lib/flight.ts';
import { percentile } from '#bench/lib/statistics.ts';
import { mark } from '#bench/load/tick-stream.ts';

/** Many clients of one stream, on plain sockets: they count, and some of them look at the time inside. */
const MARK = Buffer.from(mark);
const SAMPLED = 50;

const sockets: Socket[] = [];
let received = 0;
let latencies: number[] = [];

interface Target {
  readonly port: number;
  readonly path: string;
  readonly websocket: boolean;
  readonly count: number;
}

answerCalls({
  connect: async ({ count, ...target }: Target) => {
    await inFlight(count, 100, async (index) => void sockets.push(await open(target, index < SAMPLED)));
    return sockets.length;
  },
  /** Messages and latencies since the last report. */
  take: () => {
    const taken = { received, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
    received = 0;
    latencies = [];
    return taken;
  },
  close: () => {
    for (const socket of sockets.splice(0)) socket.destroy();
  },
});

async function open({ port, path, websocket }: Omit<Target, 'count'>, isSampled: boolean): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const upgrade = `connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${websocket ? upgrade : ''}\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (head) => {
      const isOpen = /^HTTP\/1\.1 (200|101)/.test(head.toString('latin1'));
      if (isOpen) resolve();
      else reject(new Error(`expected an open stream, got ${head.toString('latin1').slice(0, 200)}`));
    });
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(MARK); at >= 0; at = chunk.indexOf(MARK, at + 1)) received++;
  });
  if (isSampled) socket.on('data', lookAtTimes());
  return socket;
}

function lookAtTimes(): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const text = rest + chunk.toString('latin1');
    let end = 0;
    for (const found of text.matchAll(/"t":([\d.]+),/g)) {
      latencies.push(now() - Number(found[1]));
      end = found.index + found[0].length;
    }
    // a number that was cut in two is read with what follows
    rest = text.slice(Math.max(end, text.length - 40));
  };
}
