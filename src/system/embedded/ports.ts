import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Finds a port of the loopback address that no process listens on. The one a server had before is taken again where it
 * is free, so that clients find a restarted server at the same address.
 */
export async function choosePort(keptIn: string): Promise<number> {
  const before = keptPort(keptIn);
  const port = before !== undefined && (await isFree(before)) ? before : await freePort();
  writeFileSync(keptIn, `${port}\n`);
  return port;
}

function keptPort(file: string): number | undefined {
  try {
    const port = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  return await listenOnce(port).then(
    () => true,
    () => false,
  );
}

/** Below the ports that systems give to connections going out (Linux from 32768, others from 49152). */
const FIRST_PORT = 20_000;
const PORTS = 12_000;
const MOST_TRIES = 100;

/**
 * Finds a port that no process listens on. None of those given to connections going out: one of these would take it while
 * its server is away for a moment.
 */
export async function freePort(): Promise<number> {
  for (let left = MOST_TRIES; left > 0; left--) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
  return await listenOnce(0);
}

/** Listens on the port (0: any) for a moment, and gives its number. @throws what the system says where it is taken */
export async function listenOnce(wanted: number): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(wanted, '127.0.0.1', () => {
        const address = server.address();
        const port = typeof address === 'object' && address !== null ? address.port : wanted;
        server.close(() => resolve(port));
      });
  });
}
