import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choosePort, freePort, listenOnce } from '#src/system/embedded/ports.ts';

/** First of the ports that Linux gives to connections going out. */
const FIRST_OUTGOING = 32_768;

test('a free port is none that a connection going out may take while its server is away', async () => {
  for (let n = 0; n < 50; n++) {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(FIRST_OUTGOING);
  }
});

test('a server comes back to its port where that is free, and else to another', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'proofline-ports-'));
  const file = join(folder.path, 'port');
  const first = await choosePort(file);
  expect(await choosePort(file)).toBe(first);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(first, '127.0.0.1', resolve));
  await expect(listenOnce(first)).rejects.toThrow('EADDRINUSE');
  expect(await choosePort(file)).not.toBe(first);
  await new Promise((resolve) => other.close(resolve));
});
