import type { Redis } from 'ioredis';
import type { Config } from '#src/system/config/config-type.ts';
import { evictionFault } from '#src/system/health/eviction.ts';
import { addressOf } from '#src/system/logging/outage.ts';
import { openRedis } from '#src/system/redis/redis.ts';
import { primariesOf } from '#src/system/redis/redis-cluster.ts';
import { assertRedisAnswers } from '#src/system/redis/redis-start.ts';
import type { ServerReport } from './check-postgres.ts';
import { readClock } from './clocks.ts';
import { type Finding, failed, fault, ok, skipped, warning } from './finding.ts';

/** Asks Redis, or each primary of a cluster, for everything that processes rely on. Reads alone. */
export async function checkRedis(config: Config): Promise<ServerReport> {
  try {
    await assertRedisAnswers(config);
  } catch (error) {
    return { findings: [failed('Redis', error, 'look at the log of the server.')] };
  }
  const redis = openRedis(config, 'patient', () => {});
  try {
    await redis.ping();
    const findings = await Promise.all(
      primariesOf(redis).map(async (node) => checkInfo(nameOf(node, config), await node.info())),
    );
    const clock = await readClock('Redis', async () => timeOf(await redis.time()));
    return { findings: findings.flat(), clock };
  } catch (error) {
    return { findings: [failed('Redis', error, 'look at the log of the server.')] };
  } finally {
    redis.disconnect();
  }
}

function nameOf({ options: { host, port } }: Redis, { REDIS_URL, REDIS_CLUSTER_NODES }: Config): string {
  return REDIS_CLUSTER_NODES.length === 0 ? addressOf(REDIS_URL) : `${host}:${port}`;
}

/** Seconds and microseconds, as numbers or as texts. */
function timeOf([seconds, microseconds]: readonly (number | string)[]): number {
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
}

/** Reads the answer to INFO: services that run Redis for others forbid CONFIG. */
export function checkInfo(name: string, info: string): readonly Finding[] {
  const fields = new Map([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, key = '', value = '']) => [key, value]));
  const on = (check: string) => (check === 'Redis' ? check : `Redis ${check}`);
  return checks.map(([check, judge]) => {
    const [make, says] = judge(fields, name);
    return make(on(check), says);
  });
}

type Fields = ReadonlyMap<string, string>;
type Judgement = readonly [make: (check: string, says: string) => Finding, says: string];

const checks: readonly (readonly [check: string, judge: (fields: Fields, name: string) => Judgement])[] = [
  ['Redis', judgeVersion],
  ['role', judgeRole],
  ['eviction', judgeEviction],
  ['memory', judgeMemory],
  ['persistence', judgePersistence],
];

function judgeVersion(fields: Fields, name: string): Judgement {
  const valkey = fields.get('valkey_version');
  const version = valkey ?? fields.get('redis_version');
  if (version === undefined) return [skipped, `${name} does not say its version`];
  const [product, least] = valkey === undefined ? (['Redis', 7] as const) : (['Valkey', 8] as const);
  if (Number.parseInt(version, 10) >= least) return [ok, `${product} ${version} at ${name}`];
  return [fault, `expected ${product} ${least} or newer, got ${version} at ${name}: upgrade the server.`];
}

function judgeRole(fields: Fields, name: string): Judgement {
  const role = fields.get('role');
  if (role === 'master') return [ok, 'this is the primary'];
  return [fault, `${name} is a replica (${role}) and takes no writes: let REDIS_URL lead to the primary.`];
}

function judgeEviction(fields: Fields, name: string): Judgement {
  const policy = fields.get('maxmemory_policy');
  if (policy === undefined) return [skipped, `${name} does not say its policy`];
  const wrong = evictionFault(name, policy);
  if (wrong !== null) return [fault, `${wrong}.`];
  const lost = fields.get('evicted_keys') ?? '0';
  if (lost === '0') return [ok, policy];
  return [warning, `${policy} now, but ${lost} keys were evicted since ${name} started; the audit adds jobs again.`];
}

/** Share of `maxmemory` from which on there is little time until writes are refused. */
const FULL = 0.9;

function judgeMemory(fields: Fields): Judgement {
  const [used, most] = [Number(fields.get('used_memory')), Number(fields.get('maxmemory'))];
  const says = `${Math.round(used / 1_048_576)} MiB used`;
  if (!(most > 0)) return [ok, `${says}, no limit`];
  const full = `${says} of ${Math.round(most / 1_048_576)} MiB`;
  if (used / most < FULL) return [ok, full];
  return [warning, `${full}: raise maxmemory, or new jobs wait in Postgres until there is room.`];
}

function judgePersistence(fields: Fields, name: string): Judgement {
  if (fields.get('loading') === '1') return [fault, `${name} is still loading its data: wait until it has.`];
  const failing = ['aof_last_write_status', 'rdb_last_bgsave_status'].filter(
    (one) => (fields.get(one) ?? 'ok') !== 'ok',
  );
  if (failing.length > 0)
    return [fault, `${name} cannot write to its disk (${failing.join(', ')}): free some space there.`];
  const aof = fields.get('aof_enabled');
  if (aof === undefined) return [skipped, `${name} does not say whether it keeps what it has`];
  if (aof === '1') return [ok, 'append-only file'];
  return [warning, `no append-only file: sessions, limits and logs of jobs are lost with ${name}. Set appendonly yes.`];
}
