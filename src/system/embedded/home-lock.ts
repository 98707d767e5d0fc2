import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';

/** Process that runs Proofline on a home. */
export interface Holder {
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * Takes the home for this process until it ends or lets go. The kernel gives a lock up with its process, so none is
 * ever left behind, not by `kill -9` either.
 *
 * @throws AppError `unavailable` that says who has it.
 */
export async function takeHome(home: string): Promise<AsyncDisposable> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = lockPath(home);
  const me: Holder = { pid: process.pid, since: new Date().toISOString() };
  for (let left = 10; left > 0; left -= 1) {
    const server = await listen(path, JSON.stringify(me));
    if (server) return { [Symbol.asyncDispose]: async () => await close(server) };
    const holder = await homeHolder(home);
    if (holder) throw taken(home, holder);
    // No process answers: a socket file that was left behind (not on Linux, where there is no file), or just released.
    if (!path.startsWith('\0')) rmSync(path, { force: true });
  }
  throw new AppError('unavailable', `Another start holds ${home} and does not say who it is: try again.`);
}

/** Finds the process that has the home at this moment; undefined without one. The folder must exist. */
export async function homeHolder(home: string): Promise<Holder | undefined> {
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(lockPath(home));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('error', () => {}).once('close', () => resolve(text));
  });
  const holder: Holder | undefined = answer === '' ? undefined : JSON.parse(answer);
  return holder;
}

function lockPath(home: string): string {
  const place = realpathSync(home);
  const digest = createHash('sha256').update(place).digest('hex').slice(0, 32);
  return process.platform === 'linux' ? `\0proofline-home-${digest}` : join(tmpdir(), `proofline-${digest}.sock`);
}

async function listen(path: string, greeting: string): Promise<Server | undefined> {
  return await new Promise((resolve, reject) => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {}).end(greeting);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

function taken(home: string, { pid, since }: Holder): AppError {
  const message = `Proofline already runs on ${home} (process ${pid}, since ${since}): stop it, or set PROOFLINE_HOME to another folder.`;
  return new AppError('unavailable', message, { pid, since });
}
