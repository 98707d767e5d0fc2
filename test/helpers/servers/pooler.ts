import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unpackDebian } from '#src/system/embedded/debian.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { programOnPath } from '#src/system/embedded/programs.ts';
import { startServer } from '#src/system/embedded/server-process.ts';
import { testFolder } from '#test/helpers/processes.ts';

interface Program {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

const folder = resolve(import.meta.dirname, '../../.proofline/programs/pgbouncer');

/** PgBouncer: this machine's, else the distribution's package unpacked into our folder; undefined where there is none. */
export function poolerProgram(): Program | undefined {
  const here = programOnPath(['pgbouncer']);
  if (here !== undefined) return { path: here, env: process.env };
  const path = join(folder, 'usr/sbin/pgbouncer');
  const packages = ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'];
  if (!existsSync(path)) unpackDebian({ packages, folder, isUsable: () => existsSync(path) });
  if (!existsSync(path)) return undefined;
  const library = globSync('usr/lib/*/libcares.so.2', { cwd: folder })[0] ?? '';
  return { path, env: { ...process.env, LD_LIBRARY_PATH: join(folder, dirname(library)) } };
}

/** A transaction pooler in front of a database, with `places` connections to it; `url` leads through it. */
export async function startPooler({ path, env }: Program, database: string, places: number) {
  const home = testFolder();
  const port = await freePort();
  const target = new URL(database);
  const name = target.pathname.slice(1);
  const settings = join(home.path, 'pgbouncer.ini');
  const log = join(home.path, 'server.log');
  const isRoot = process.getuid?.() === 0;
  const lines = [
    '[databases]',
    `${name} = host=${target.hostname} port=${target.port} dbname=${name} user=${target.username} password=${target.password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${places}`,
    'max_client_conn = 500',
    // it refuses to run as root
    ...(isRoot ? ['user = nobody'] : []),
  ];
  chmodSync(home.path, 0o755);
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const server = await startServer({
    name: 'PgBouncer',
    argv: [path, settings],
    env,
    log,
    stopSignal: 'SIGINT',
    isReady: () => readFileSync(log, 'utf8').includes('process up'),
  });
  const url = new URL(database);
  url.port = String(port);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      home[Symbol.dispose]();
    },
  };
}
