import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '#sql/open-client.ts';
import { AppError } from '#src/lib/errors.ts';
import { endLeftOver } from './left-over.ts';
import { choosePort } from './ports.ts';
import { type OtherUser, postgresPrograms, postgresUser } from './postgres-program.ts';
import { storedSecret } from './secrets.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A private Postgres. */
export interface PrivatePostgres extends ServerProcess {
  /** The database `proofline` as its owner, the ordinary role `proofline`. */
  readonly url: string;
  /** The database `postgres` as superuser: for tests, which make databases of their own. */
  readonly adminUrl: string;
}

export interface PostgresOptions {
  /** False where the data may be lost with the machine (tests): nothing is forced to disk. */
  readonly durable?: boolean;
  /** Most connections at once; one system takes about sixty. */
  readonly connections?: number;
  /** True where the server must outlive a killed starter (tests of what the next start does). */
  readonly outlives?: boolean;
}

const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

/**
 * Starts the private Postgres of this home on a free port of the loopback address, and makes its data at first use.
 * It ends with this process, also when that is killed; one that was left behind is ended first.
 *
 * @throws AppError `unavailable` when there are no programs for this platform or the server does not start.
 */
export async function startPostgres(
  home: string,
  say: (line: string) => void = () => {},
  { durable = true, connections = 200, outlives }: PostgresOptions = {},
): Promise<PrivatePostgres> {
  const programs = postgresPrograms();
  mkdirSync(join(home, 'postgres'), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, 'postgres'));
  const user = postgresUser(programs, folder);
  const data = join(folder, 'data');
  await endLeftOver(join(data, 'postmaster.pid'), data, 'SIGINT');
  if (!existsSync(data)) initialise(programs, folder, storedSecret(home, 'postgres-admin'), user, say);
  const { server, port } = await run({ programs, folder, user, durable, connections, outlives });
  const address = (role: string, database: string) =>
    `postgresql://${role}:${storedSecret(home, `postgres-${role === 'postgres' ? 'admin' : role}`)}@127.0.0.1:${port}/${database}`;
  const adminUrl = address('postgres', 'postgres');
  try {
    await ensureDatabase(adminUrl, storedSecret(home, 'postgres-proofline'));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, url: address('proofline', 'proofline'), adminUrl };
}

/** Makes the data folder beside its place and moves it there, so that a start that was killed leaves no half of one. */
function initialise(
  programs: string,
  folder: string,
  password: string,
  user: OtherUser | undefined,
  say: (line: string) => void,
): void {
  const since = performance.now();
  const part = join(folder, 'data.part');
  const secret = join(folder, 'password.part');
  rmSync(part, { recursive: true, force: true });
  writeFileSync(secret, password, { mode: 0o600 });
  if (user) chownSync(secret, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', `--pwfile=${secret}`, '--auth=scram-sha-256'];
  const argv = [join(programs, 'initdb'), '-D', part, ...access, ...locale, '--no-instructions', '--no-sync'];
  const [program = '', ...args] = user ? ['setpriv', ...user.dropTo, ...argv] : argv;
  const result = spawnSync(program, args, { env: environment, cwd: '/', encoding: 'utf8' });
  rmSync(secret);
  if (result.status !== 0) {
    const reason = result.error?.message ?? result.stderr.trim();
    throw new AppError('unavailable', `The private Postgres cannot make its data: ${reason}${adviceOn(reason)}`);
  }
  renameSync(part, join(folder, 'data'));
  say(`Postgres data made (${((performance.now() - since) / 1000).toFixed(1)} s)`);
}

/** initdb asks for the name of its user, whatever `--username` says; in a container an id may have none. */
function adviceOn(reason: string): string {
  if (!reason.includes('could not look up effective user ID')) return '';
  return '\nRun as a user that /etc/passwd knows (in a container: add a line for this id, or start it as another user), or set DATABASE_URL.';
}

/** Settings of a private server on a shared machine: durable, modest, on the loopback address alone. */
function serverSettings(
  port: number,
  { durable, connections }: Pick<Run, 'durable' | 'connections'>,
): readonly string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: connections,
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

interface Run {
  readonly programs: string;
  readonly folder: string;
  readonly user: OtherUser | undefined;
  readonly durable: boolean;
  readonly connections: number;
  readonly outlives: boolean | undefined;
}

/**
 * Runs the server. Tried again for a while when the port was taken meanwhile, or when children of a killed server still
 * hold its shared memory.
 */
async function run({
  programs,
  folder,
  user,
  outlives,
  ...kind
}: Run): Promise<{ server: ServerProcess; port: number }> {
  const data = join(folder, 'data');
  const deadline = performance.now() + 15_000;
  for (;;) {
    const port = await choosePort(join(folder, 'port'));
    try {
      const server = await startServer({
        name: 'Postgres',
        argv: [join(programs, 'postgres'), '-D', data, ...serverSettings(port, kind)],
        ...(user && { dropTo: user.dropTo }),
        env: environment,
        log: join(folder, 'server.log'),
        stopSignal: 'SIGINT',
        outlives,
        isReady: () =>
          existsSync(join(data, 'postmaster.pid')) &&
          /^ready\s*$/m.test(readFileSync(join(data, 'postmaster.pid'), 'utf8')),
      });
      return { server, port };
    } catch (error) {
      const passing =
        error instanceof AppError &&
        /shared memory block|Address already in use|postmaster.pid" already exists/.test(error.message);
      if (!passing || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

async function ensureDatabase(adminUrl: string, password: string): Promise<void> {
  await withClient(adminUrl, 'start', async (client) => {
    const found = await client.query("select from pg_database where datname = 'proofline'");
    if (found.rowCount === 1) return;
    await client.query(`do $$ begin create role proofline login; exception when duplicate_object then null; end $$`);
    await client.query(`alter role proofline password ${client.escapeLiteral(password)}`);
    await client.query('create database proofline owner proofline');
  });
}
