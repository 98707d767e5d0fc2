import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Listener } from '#src/jobs/ledger/relay.ts';
import { newEpoch } from '#src/jobs/model/epoch.ts';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import { jobSummaryView } from '#src/jobs/model/job-view.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { publisherOf, subscribedChannels } from '#src/system/redis/redis-cluster.ts';
import { changesChannel, changesKeys, changesName, changeType, NUMBERS_TTL_MS, numberField } from './job-changes.ts';

/** Milliseconds between two publications at least; a job's changes in between are published once. */
const PAUSE_MS = 100;
/**
 * Jobs that are named on a stream in a second; where more change, its subscribers are notified to read the list again.
 */
const MOST_NAMED = 300;
/** Jobs that may wait for a publication; more, and every stream begins anew. */
const MOST_PENDING = 20_000;
const Owned = Type.Object({ id: Type.String(), owner: Type.String() });

/**
 * Publishes news of the ledger on the streams of changes, as long as `signal` lasts. While no subscriber follows such a
 * stream it costs Redis a short command for each look at the ledger, and nothing is read, published or kept.
 */
export function openChanges(context: Context, signal: AbortSignal): Listener {
  const { log } = context;
  const pending = new Set<string>();
  let lost = false;
  let publishing = true;

  const publishNext = async (): Promise<number> => {
    const jobs = [...pending];
    pending.clear();
    const isWanted = await isFollowed(context);
    if (lost) await forget(context);
    lost = false;
    return isWanted ? await publishChanges(context, jobs) : 0;
  };

  const publishAll = async () => {
    while (pending.size > 0 && !signal.aborted) {
      const published = await publishNext().catch((error: unknown) => {
        lost = true;
        log.debug({ err: error }, 'changes of jobs were not published; their followers begin anew');
        return MOST_NAMED;
      });
      await sleep(Math.max(PAUSE_MS, (published * 1_000) / MOST_NAMED), undefined, { signal }).catch(() => {});
    }
  };

  const start = async (before: Promise<void>) => {
    await before.catch((error: unknown) => {
      lost = true;
      log.debug({ err: error }, 'the streams of changes could not be begun anew');
    });
    await publishAll();
    publishing = false;
  };

  // what the leader before us did not get published is lost: numbers may not go on from where it stopped
  void start(forget(context));
  return {
    isFollowed: () => isFollowed(context),
    take: (events) => {
      if (pending.size > MOST_PENDING) {
        pending.clear();
        lost = true;
      }
      for (const { job } of events) pending.add(job);
      if (publishing || pending.size === 0) return;
      publishing = true;
      void start(Promise.resolve());
    },
  };
}

/*
 * In one step: who begins to follow after it has other numbers, and reads the list after what is passed over now; who comes
 * back with a number of before begins anew. In two, one who came between them would begin anew for nothing.
 */
const followedOrVoid = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
redis.call('DEL', KEYS[2])
return 0`;

/** Checks whether any process follows a stream; the numbers of every stream are void where none does. */
async function isFollowed({ redis, config }: Context): Promise<boolean> {
  const keys = changesKeys(config);
  return (await redis.eval(followedOrVoid, 2, keys.followed, keys.numbers)) === 1;
}

/** Voids the numbers of every stream: their followers, and who comes back with a cursor, get `reset`. */
async function forget({ redis, config }: Context): Promise<void> {
  await redis.del(changesKeys(config).numbers);
}

/** Answers how many changes the stream had that had most, as far as they are published. */
async function publishChanges(context: Context, jobs: readonly string[]): Promise<number> {
  const owned = await context.db.any(
    sql.type(row(Owned))`select id, owner from jobs where id = any(${sql.array([...jobs], 'uuid')})`,
  );
  const owners = new Map(owned.map(({ id, owner }) => [id, owner]));
  // in the order in which they changed
  const known = jobs.filter((id) => owners.has(id));
  const byOwner = Map.groupBy(known, (id) => changesName(owners.get(id) ?? null));
  const published = (await followed(context, [[changesName(null), known], ...byOwner])).map(([name, ids]) => ({
    name,
    ids: ids.length > MOST_NAMED ? ids.slice(-1) : ids,
    // a number that is never published: subscribers notice that something is missing
    missing: ids.length > MOST_NAMED ? 1 : 0,
  }));
  if (published.length === 0) return 0;
  await publish(context, published, await readSummaries(context, [...new Set(published.flatMap(({ ids }) => ids))]));
  return Math.max(...published.map(({ ids, missing }) => (missing > 0 ? MOST_NAMED : ids.length)));
}

type Stream = readonly [name: string, jobs: readonly string[]];

/** Selects the streams that have subscribers. */
async function followed({ redis, config }: Context, streams: readonly Stream[]): Promise<readonly Stream[]> {
  const channels = streams.map(([name]) => changesChannel(config, name));
  const heard = await subscribedChannels(redis, channels);
  return streams.filter(([name, jobs]) => jobs.length > 0 && heard.has(changesChannel(config, name)));
}

async function readSummaries({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, JobSummary>> {
  const jobs = await db.any(
    sql.type(jobSummaryRow)`select ${jobSummaryColumns} from jobs j where j.id = any(${sql.array([...ids], 'uuid')})`,
  );
  return new Map(jobs.map((job) => [job.id, job]));
}

interface Publication {
  readonly name: string;
  readonly ids: readonly string[];
  readonly missing: number;
}

async function publish(
  { redis, config }: Context,
  publications: readonly Publication[],
  jobs: ReadonlyMap<string, JobSummary>,
): Promise<void> {
  const keys = changesKeys(config);
  await redis.hsetnx(keys.numbers, 'epoch', newEpoch());
  await redis.pexpire(keys.numbers, NUMBERS_TTL_MS);
  const epoch = await redis.hget(keys.numbers, 'epoch');
  const at = new Date().toISOString();
  for (const { name, ids, missing } of publications) {
    const found = ids.flatMap((id) => jobs.get(id) ?? []);
    const last = await redis.hincrby(keys.numbers, numberField(name), missing + found.length);
    const pipeline = publisherOf(redis).pipeline();
    for (const [index, job] of found.entries()) {
      const n = last - found.length + 1 + index;
      const message = { epoch, n, type: changeType, at, data: jobSummaryView(job) };
      pipeline.publish(changesChannel(config, name), JSON.stringify(message));
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }
}
