import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { endLeftOver } from './left-over.ts';
import { choosePort } from './ports.ts';
import { redisProgram } from './redis-program.ts';
import { storedSecret } from './secrets.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A private Redis. */
export interface PrivateRedis extends ServerProcess {
  readonly url: string;
}

export interface RedisOptions {
  /** True where the server must outlive a killed starter (tests of what the next start does). */
  readonly outlives?: boolean;
}

const root = resolve(import.meta.dirname, '../../..');
/** Programs that were unpacked serve every home of this checkout. A package has no place of its own to write to. */
const sharedPrograms = existsSync(join(root, 'package-lock.json')) ? [join(root, '.proofline/programs/redis')] : [];

/**
 * Starts the private Redis of this home on a free port of the loopback address. Writes reach the disk within a second
 * (append-only file), nothing is evicted. It ends with this process, also when that is killed.
 *
 * @throws AppError `unavailable` when there is no server program or it does not start.
 */
export async function startRedis(
  home: string,
  say: (line: string) => void = () => {},
  { outlives }: RedisOptions = {},
): Promise<PrivateRedis> {
  mkdirSync(join(home, 'redis'), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, 'redis'));
  const program = redisProgram([...sharedPrograms, join(realpathSync(home), 'programs/redis')], say);
  const settings = join(folder, 'redis.conf');
  const log = join(folder, 'server.log');
  await endLeftOver(join(folder, 'redis.pid'), settings, 'SIGTERM');
  const password = storedSecret(home, 'redis');
  for (let left = 5; ; left -= 1) {
    const port = await choosePort(join(folder, 'port'));
    // In a file, because every user of the machine can read a command line.
    writeFileSync(settings, settingsFile(folder, port, password), { mode: 0o600 });
    try {
      const server = await startServer({
        name: 'Redis',
        argv: [program.path, settings],
        env: program.env,
        log,
        stopSignal: 'SIGTERM',
        outlives,
        isReady: () => readFileSync(log, 'utf8').includes('Ready to accept connections'),
      });
      return { ...server, url: `redis://:${password}@127.0.0.1:${port}/0` };
    } catch (error) {
      const portTaken = error instanceof AppError && error.message.includes('Address already in use');
      if (!portTaken || left === 0) throw error;
    }
  }
}

function settingsFile(folder: string, port: number, password: string): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `pidfile ${JSON.stringify(join(folder, 'redis.pid'))}`,
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    // The command line stays as it was: by it a server that was left behind is known.
    'set-proc-title no',
    '',
  ].join('\n');
}
