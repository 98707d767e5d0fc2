import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Does the work while no other process of this machine does work of this name. The kernel gives the lock up with the
 * process, and with the processes that were handed the file descriptor that the work gets.
 */
export async function withLock(name, waiting, work) {
  const path = lockPath(name);
  let hasSaid = false;
  for (;;) {
    const server = await listen(path);
    if (server) {
      try {
        return await work(server.server['_handle']?.fd);
      } finally {
        await release(server);
      }
    }
    if (!hasSaid) process.stderr.write(`${waiting}\n`);
    hasSaid = true;
    await holderEnds(path);
  }
}

/** On Linux a socket without a file, which cannot be left behind; elsewhere a socket file, which is removed when nobody answers. */
function lockPath(name) {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return process.platform === 'linux' ? `\0proofline-${digest}` : join(tmpdir(), `proofline-${digest}.sock`);
}

function listen(path) {
  const sockets = new Set();
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(path, () => resolve({ server, sockets }));
  });
}

function release({ server, sockets }) {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => {
    server.close(resolve);
  });
}

function holderEnds(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('error', (error) => {
      if (error.code === 'ECONNREFUSED' && !path.startsWith('\0')) rmSync(path, { force: true });
    });
    socket.on('close', resolve).resume();
  });
}
