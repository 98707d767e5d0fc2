import { spawnSync } from 'node:child_process';
import { existsSync, globSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { unpackDebian } from './debian.ts';
import { programOnPath, succeeds } from './programs.ts';

export interface RedisProgram {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

const OLDEST_MAJOR = 7;
// redis-tools carries the server program without a system service; the others are its libraries.
const packages = ['redis-tools', 'libjemalloc2', 'liblzf1', 'libatomic1'];

/**
 * A Redis or Valkey server program: one of this machine, else the one unpacked earlier into one of the folders, else
 * the distribution's package unpacked into the first folder that can be written. Nothing is installed, no root needed.
 *
 * @throws AppError `unavailable` with what to do when there is none.
 */
export function redisProgram(folders: readonly string[], say: (line: string) => void = () => {}): RedisProgram {
  const here = programOnPath(['valkey-server', 'redis-server']);
  if (here !== undefined && majorVersion(here) >= OLDEST_MAJOR) return { path: here, env: plain };
  const unpackedBefore = folders.map(unpacked).find((program) => program !== undefined);
  if (unpackedBefore) return unpackedBefore;
  const since = performance.now();
  say("fetching the distribution's Redis (1.3 MB, unpacked into our own folder) …");
  for (const folder of folders) {
    const program = unpack(folder);
    if (!program) continue;
    say(`Redis unpacked (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    return program;
  }
  throw new AppError(
    'unavailable',
    'No Redis 7 or Valkey here: set REDIS_URL, or install one (apt-get install redis-server, dnf install valkey, brew install valkey).',
  );
}

const plain: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C' };

function majorVersion(path: string): number {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return Number(/v=(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

function unpacked(folder: string): RedisProgram | undefined {
  const path = join(folder, 'usr/bin/redis-server');
  if (!existsSync(path)) return undefined;
  const library = globSync('usr/lib/*/libjemalloc.so.2', { cwd: folder })[0];
  const env = library === undefined ? plain : { ...plain, LD_LIBRARY_PATH: join(folder, dirname(library)) };
  return succeeds(path, ['--version'], env) ? { path, env } : undefined;
}

function unpack(folder: string): RedisProgram | undefined {
  const nameServer = (root: string) => {
    // The server and its checker are one program under several names.
    const server = join(root, 'usr/bin/redis-server');
    if (!existsSync(server)) symlinkSync('redis-check-rdb', server);
  };
  const done = unpackDebian({ packages, folder, finish: nameServer, isUsable: () => unpacked(folder) !== undefined });
  return done ? unpacked(folder) : undefined;
}
