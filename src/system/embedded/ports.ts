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
  return await freePort(port).then(
    () => true,
    () => false,
  );
}

/** Listens on the port (0: any) for a moment, and gives its number. */
export async function freePort(wanted = 0): Promise<number> {
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
