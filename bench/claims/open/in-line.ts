import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { trivial } from '#bench/load/trivial.ts';
import { compareBeside, connectTo, type Env } from './beside.ts';

const MOST = 1.2;
const FEW = 1_000;
const OWNERS = 100;

/** A very long line: what Redis keeps of it, what becomes of it when Redis is emptied, what other jobs cost beside it. */
export const inLine: Claim = async (servers, { quick, say, waiting }) => {
  const count = quick ? Math.min(waiting, 20_000) : waiting;
  const few = await windowOf(servers, FEW);
  const many = await windowOf(servers, count);
  say(`  in Redis ${few.bytes} bytes of ${FEW} in line, ${many.bytes} of ${count}; emptied: ${many.claimed} claimed`);
  const full = await servers.fresh('ours');
  await stand(full, count);
  const empty = await servers.fresh('ours', 'beside');
  const short = await servers.fresh('ours', 'beside');
  await stand(short, FEW);
  const compared = await compareBeside(servers, [full, empty], {
    quick,
    say,
    short,
    beforeLooks: async () => {
      await stand(short, FEW);
      for (const env of [full, short]) await fillWindow(env);
    },
  });
  return {
    title: `A line of ${figure(count)} jobs`,
    body: [
      `Jobs of ${OWNERS} owners stand in line for one queue. Redis: what all its keys take once the window of the queue is full and no worker takes anything, and after \`FLUSHALL\` ${figure(many.claims)} jobs are run. Then three databases on the same servers in turn, with the line, with ${figure(FEW)} in line and without: processor time of the submitting process (which relays, sweeps and feeds too), the worker process, Postgres and Redis together, min / median / max of the rounds; of the looks the median of 400. The ratio is of the line to none; of the looks for what fell and for what is to be woken and of the audit, whose work is a window and what killed workers leave, to the short line, once the window of both is full again.`,
      table(
        ['', `${figure(FEW)} in line`, `${figure(count)} in line`, 'ratio'],
        [['memory of Redis, bytes', figure(few.bytes), figure(many.bytes), figure(many.bytes / few.bytes)]],
      ),
      compared.body,
    ].join('\n\n'),
    verdicts: [
      {
        promise: `of ${figure(count)} in line Redis keeps no more than of ${figure(FEW)}`,
        measured: `${figure(many.bytes / few.bytes)} times`,
        held: many.bytes <= few.bytes * 1.1,
      },
      {
        promise: `a line of ${figure(count)} survives FLUSHALL`,
        measured: `${figure(many.claimed)} of ${figure(many.claims)} jobs run after it, ${many.doubled} twice`,
        held: many.claimed >= many.claims && many.doubled === 0,
      },
      ...compared.verdicts(`a line of ${figure(count)}`, MOST),
    ],
  };
};

interface InRedis {
  readonly bytes: number;
  /** Jobs that were to be run after Redis was emptied, that were, and that were more than once. */
  readonly claims: number;
  readonly claimed: number;
  readonly doubled: number;
}

async function windowOf(servers: Servers, count: number): Promise<InRedis> {
  const env = await servers.fresh('ours');
  await stand(env, count);
  await using stack = new AsyncDisposableStack();
  const redis = new Redis(env['REDIS_URL'] ?? '');
  stack.defer(() => redis.disconnect());
  stack.use(await startProducer(env, 'proofline'));
  const bytes = await filled(redis, env);
  await redis.flushall();
  await filled(redis, env);
  const claims = Math.min(count, 5_000);
  const consumer = stack.use(await startConsumer(env, 'proofline', 50));
  await consumer.call('until', claims);
  const client = await connectTo(env);
  stack.defer(() => client.end());
  const { rows } = await client.query<Pick<InRedis, 'claimed' | 'doubled'>>(
    `select count(*)::int as claimed, count(*) filter (where attempt > 1)::int as doubled from jobs where finished_at is not null`,
  );
  return { bytes, claims, claimed: 0, doubled: 0, ...rows[0] };
}

/** Fills the window of a line from which no worker takes. */
async function fillWindow(env: Env): Promise<void> {
  const redis = new Redis(env['REDIS_URL'] ?? '');
  await using stack = new AsyncDisposableStack();
  stack.defer(() => redis.disconnect());
  stack.use(await startProducer(env, 'proofline'));
  await filled(redis, env);
}

/** Bytes of all keys once the window of the queue is full: no more comes into it for a while. @throws after a minute. */
async function filled(redis: Redis, env: Env): Promise<number> {
  const key = `{${env['REDIS_PREFIX']}-${trivial.name}}:${trivial.name}:window`;
  const deadline = performance.now() + 60_000;
  for (let [jobs, since] = [0, performance.now()]; ; await sleep(50)) {
    const found = Number(await redis.hget(key, 'jobs'));
    if (found !== jobs) [jobs, since] = [found, performance.now()];
    if (jobs > 0 && performance.now() - since > 3_000) break;
    if (performance.now() > deadline)
      throw new Error(`expected a window that is filled within a minute, got ${jobs} jobs`);
  }
  let bytes = 0;
  for await (const keys of redis.scanStream({ match: `*${env['REDIS_PREFIX']}*` }))
    for (const one of keys as string[]) bytes += Number(await redis.memory('USAGE', one, 'SAMPLES', 0));
  return bytes;
}

async function stand(env: Env, count: number): Promise<void> {
  const client = await connectTo(env);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => client.end());
  await client.query(
    `insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed)
     select uuidv7(), 'owner ' || n % ${OWNERS}, $1, 'queued', 0, '{"text": "waits"}', '\\x00', 'ready' from generate_series(1, $2::int) as n`,
    [trivial.name, count],
  );
  await client.query('vacuum analyze jobs');
}
