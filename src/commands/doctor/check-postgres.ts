import type { Client } from 'pg';
import { LEAST_VERSION, readMigrations } from '#sql/migrate.ts';
import { withClient } from '#sql/open-client.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { compareSchema, newerSchema, schemaFault } from '#src/system/health/schema-state.ts';
import { addressOf, reasonOf } from '#src/system/logging/outage.ts';
import { directUrl, roleFault, sessionUrl } from '#src/system/postgres/postgres.ts';
import { assertPostgresAnswers } from '#src/system/postgres/postgres-start.ts';
import { checkRunning } from './check-running.ts';
import { type Clock, readClock } from './clocks.ts';
import { type Finding, failed, fault, ok, warning } from './finding.ts';

/** One API and one worker process of each fleet, with their pools. */
const ROOM = 40;

export interface ServerReport {
  readonly findings: readonly Finding[];
  /** Its clock beside this machine's; absent where it was not asked. */
  readonly clock?: Clock;
}

/** Asks Postgres for everything that processes rely on. Reads alone, and a channel that is listened to for a moment. */
export async function checkPostgres(config: Config): Promise<ServerReport> {
  try {
    await assertPostgresAnswers(config);
  } catch (error) {
    return { findings: [failed('Postgres', error, 'look at the log of the server.')] };
  }
  return await withClient(directUrl(config), 'doctor', async (client) => {
    const server = await serverOf(client);
    const findings = [checkVersion(config, server)];
    if (server.number < LEAST_VERSION) return { findings };
    const clock = await readClock('Postgres', async () => (await one<{ now: Date }>(client, nowText)).now.getTime());
    const schema = await checkSchema(client);
    findings.push(...(await checkSession(config)), ...(await checkPooler(config)), ...checkServer(server), schema);
    // rows of processes and queues are those of this release alone
    if (schema.status !== 'fault') findings.push(...(await checkRunning(client, config)));
    return { findings, clock };
  }).catch((error: unknown) => ({ findings: [failed('Postgres', error, 'look at the log of the server.')] }));
}

const nowText = 'select clock_timestamp() as now';

async function one<R extends object>(client: Client, text: string, values: readonly unknown[] = []): Promise<R> {
  const { rows } = await client.query<R>(text, [...values]);
  if (rows[0]) return rows[0];
  throw new Error(`expected a row of ${text}, got none`);
}

interface Server {
  readonly number: number;
  readonly name: string;
  readonly standby: boolean;
  readonly readonly: string;
  readonly fsync: string;
  readonly commit: string;
  readonly most: number;
  readonly used: number;
  readonly creates: boolean;
  readonly role: string;
}

async function serverOf(client: Client): Promise<Server> {
  return await one<Server>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
      pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') as readonly,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('max_connections')::int as most, (select count(*)::int from pg_stat_activity) as used,
      has_schema_privilege(current_schema(), 'create') as creates, current_user as role`,
  );
}

function checkVersion({ DATABASE_URL }: Config, { number, name }: Server): Finding {
  if (number >= LEAST_VERSION) return ok('Postgres', `${name} at ${addressOf(DATABASE_URL)}`);
  return fault('Postgres', `expected Postgres 17 or newer, got ${name}: upgrade the server.`);
}

/** Properties of the server and of the role, each with the sentence where it is not as it should be. */
function checkServer(server: Server): readonly Finding[] {
  const { standby, readonly, fsync, commit, most, used, creates, role } = server;
  const free = most - used;
  return [
    standby
      ? fault('Postgres writes', 'this server is a standby and takes no writes: let DATABASE_URL lead to the primary.')
      : readonly === 'on'
        ? fault(
            'Postgres writes',
            `the role ${role} begins read-only: alter role … reset default_transaction_read_only.`,
          )
        : ok('Postgres writes', 'this is the primary'),
    fsync === 'off'
      ? warning('Postgres durability', 'fsync is off: a crash of the machine may lose the database. Set fsync = on.')
      : commit === 'off'
        ? warning(
            'Postgres durability',
            'synchronous_commit is off: a crash may lose jobs that were accepted. Set it to on.',
          )
        : ok('Postgres durability', `fsync ${fsync}, synchronous_commit ${commit}`),
    creates
      ? ok('Postgres role', `${role} may make tables`)
      : warning('Postgres role', `${role} may not make tables: migrate as the role that owns them.`),
    free < ROOM
      ? warning(
          'Postgres connections',
          `${free} of ${most} are left: raise max_connections, or lower DATABASE_POOL_SIZE.`,
        )
      : ok('Postgres connections', `${free} of ${most} are left`),
  ];
}

/** Reads what sessions begin with that come through a pooler, where nothing can be set. */
async function checkPooler({ DATABASE_URL, DATABASE_DIRECT_URL }: Config): Promise<readonly Finding[]> {
  const check = 'Postgres pooler';
  if (DATABASE_DIRECT_URL === '') return [];
  try {
    const role = await withClient(
      DATABASE_URL,
      'doctor',
      async (client) =>
        await one<Parameters<typeof roleFault>[0]>(
          client,
          `select current_setting('TimeZone') as zone, current_setting('transaction_timeout') as transaction,
            current_setting('statement_timeout') as statement`,
        ),
    );
    const wrong = roleFault(role);
    return [wrong === null ? ok(check, 'sessions of the role begin as they should') : fault(check, wrong)];
  } catch (error) {
    return [failed(check, error, 'look at the log of the pooler.')];
  }
}

/** Opens a session as processes do, with settings of its own, and listens in it. */
async function checkSession(config: Config): Promise<readonly Finding[]> {
  const check = 'Postgres session';
  try {
    return await withClient(sessionUrl(directUrl(config), 'doctor'), 'doctor', async (client) => {
      const set = await one<{ zone: string; transaction: string }>(
        client,
        `select current_setting('TimeZone') as zone, current_setting('transaction_timeout') as transaction`,
      );
      if (set.zone !== 'UTC' || set.transaction === '0')
        return [fault(check, `settings of a session do not arrive (${JSON.stringify(set)}): ${pastThePooler}`)];
      const heard = await listens(client);
      if (!heard) return [fault(check, `a session does not hear what it listens to: ${pastThePooler}`)];
      return [ok(check, 'keeps its settings, and hears what it listens to')];
    });
  } catch (error) {
    const isPooler = /unsupported startup parameter/i.test(reasonOf(error));
    return [failed(check, error, isPooler ? pastThePooler : 'look at the log of the server.')];
  }
}

const pastThePooler = 'a pooler stands before it; set DATABASE_DIRECT_URL to the database itself.';

/** Listens to a channel of its own and notifies it: the answer to the second statement brings what was heard. */
async function listens(client: Client): Promise<boolean> {
  const channel = `proofline_doctor_${process.pid}`;
  let heard = false;
  client.on('notification', ({ channel: name }) => {
    heard ||= name === channel;
  });
  await client.query(`listen ${channel}`);
  await client.query(`notify ${channel}`);
  await client.query(`unlisten ${channel}`);
  return heard;
}

async function checkSchema(client: Client): Promise<Finding> {
  const check = 'Postgres migrations';
  const { rows: tables } = await client.query<{ found: string | null }>(`select to_regclass('migrations') as found`);
  const text = 'select number, file, digest from migrations';
  const applied =
    tables[0]?.found == null ? [] : (await client.query<{ number: number; file: string; digest: string }>(text)).rows;
  const state = compareSchema(applied, readMigrations());
  const wrong = schemaFault(state);
  if (wrong !== null) return fault(check, `${wrong}.`);
  const newer = newerSchema(state);
  return newer === null
    ? ok(check, `all ${counted(state.files, 'file')} of this release`)
    : warning(check, `${newer}.`);
}
