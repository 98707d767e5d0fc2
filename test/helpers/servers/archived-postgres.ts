import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#src/system/embedded/ports.ts';
import { postgresPrograms, postgresUser } from '#src/system/embedded/postgres-program.ts';
import { type ServerProcess, startServer } from '#src/system/embedded/server-process.ts';
import { until } from '#test/helpers/processes.ts';

const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

/** A server whose log of changes is archived, as a managed one's is: it can be restored to its last archived moment. */
export interface ArchivedPostgres extends AsyncDisposable {
  /** The database `postgres` as superuser. */
  readonly url: string;
  /** Copies the data while the server runs: what deploy/RUNBOOK.md calls a base backup. */
  readonly backUp: () => Promise<void>;
  /** Waits until everything that is committed now is archived. */
  readonly archived: () => Promise<void>;
  /** Ends the server as a crash does and removes its data; archive and backup lie elsewhere. */
  readonly destroy: () => Promise<void>;
  /** Starts a server from the backup, which then follows the archive to its end. */
  readonly restore: () => Promise<void>;
}

/** Keeps everything below `folder`. */
export async function startArchivedPostgres(folder: string): Promise<ArchivedPostgres> {
  const programs = postgresPrograms();
  const [data, archive, backup] = ['data', 'archive', 'backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(archive);
  const user = postgresUser(programs, folder);
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  own(archive);
  const run = (argv: readonly string[]) => {
    const [program = '', ...args] = user ? ['setpriv', ...user.dropTo, ...argv] : argv;
    const { status, stderr } = spawnSync(program, args, { env: environment, cwd: '/', encoding: 'utf8' });
    if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  };
  run([join(programs, 'initdb'), '-D', data, '--username=postgres', '--auth=trust', '--no-sync', '--no-instructions']);

  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const options = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `cp %p ${archive}/%f`,
    restore_command: `cp ${archive}/%f %p`,
    timezone: 'UTC',
    fsync: 'off',
  };
  const start = async () =>
    await startServer({
      name: 'Postgres',
      argv: [
        join(programs, 'postgres'),
        '-D',
        data,
        ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ...(user && { dropTo: user.dropTo }),
      env: environment,
      log: join(folder, 'server.log'),
      stopSignal: 'SIGINT',
      isReady: () => /^ready\s*$/m.test(read(join(data, 'postmaster.pid'))),
    });
  let server: ServerProcess | undefined = await start();

  return {
    url,
    backUp: async () =>
      await asking(url, async (client) => {
        await client.query(`select pg_backup_start('rehearsal', fast => true)`);
        // what belongs to the running server alone is no part of a backup
        run(['cp', '-a', data, backup]);
        for (const name of ['postmaster.pid', 'pg_wal']) rmSync(join(backup, name), { recursive: true, force: true });
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
        writeFileSync(join(backup, 'backup_label'), rows[0]?.labelfile ?? '');
        own(join(backup, 'backup_label'));
      }),
    archived: async () =>
      await asking(url, async (client) => {
        const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
        const last = rows[0]?.name ?? '';
        const ask = async () =>
          (await client.query<{ name: string | null }>('select last_archived_wal as name from pg_stat_archiver')).rows;
        await until(async () => ((await ask())[0]?.name ?? '') >= last);
      }),
    destroy: async () => {
      // at once, without a last checkpoint, but with its children: they would keep the port
      if (server) process.kill(server.pid, 'SIGQUIT');
      await server?.exited;
      server = undefined;
      rmSync(data, { recursive: true });
    },
    restore: async () => {
      run(['cp', '-a', backup, data]);
      for (const name of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries']) {
        mkdirSync(join(data, name), { mode: 0o700 });
        own(join(data, name));
      }
      writeFileSync(join(data, 'recovery.signal'), '');
      own(join(data, 'recovery.signal'));
      server = await start();
      await asking(url, async (client) => {
        const ask = 'select pg_is_in_recovery() as still';
        await until(async () => (await client.query<{ still: boolean }>(ask)).rows[0]?.still === false);
      });
    },
    [Symbol.asyncDispose]: async () => await server?.stop(),
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function asking<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
