import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { Type } from 'typebox';
import type { NewEvent } from '#src/jobs/ledger/relay-read.ts';
import { newEpoch } from '#src/jobs/model/epoch.ts';
import { type JobSummary, jobSummaryColumns, jobSummaryRow } from '#src/jobs/model/job.ts';
import { jobSummaryView } from '#src/jobs/model/job-view.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { publisherOf, subscribedChannels } from '#src/system/redis/redis-cluster.ts';
import { changesChannel, changesKeys, changesName, changeType, KEPT_MS, numberField } from './job-changes.ts';

/** Between two tellings at least; what a job goes through meanwhile is told once. */
const PAUSE_MS = 100;
/** Jobs that are named on a stream in a second; where more change, its followers are told to read the list again. */
const MOST_TOLD = 300;
/** Jobs that may wait for a telling; more, and every stream begins anew. */
const MOST_PENDING = 20_000;
const Owned = Type.Object({ id: Type.String(), owner: Type.String() });

/**
 * Tells the streams of changes what is new in the ledger, as long as `signal` lasts; answers the function that hears it.
 * While nobody follows such a stream it costs Redis two short commands ten times a second, and nothing is told or kept.
 */
export function openChanges(context: Context, signal: AbortSignal): (events: readonly NewEvent[]) => void {
  const { log } = context;
  const pending = new Set<string>();
  let lost = false;
  let telling = true;

  const tellNext = async (): Promise<number> => {
    const jobs = [...pending];
    pending.clear();
    const isFollowed = (await context.redis.exists(changesKeys(context.config).followed)) === 1;
    if (lost || !isFollowed) await forget(context);
    lost = false;
    return isFollowed ? await tell(context, jobs) : 0;
  };

  const tellAll = async () => {
    while (pending.size > 0 && !signal.aborted) {
      const told = await tellNext().catch((error: unknown) => {
        lost = true;
        log.debug({ err: error }, 'changes of jobs were not told; their followers begin anew');
        return MOST_TOLD;
      });
      await sleep(Math.max(PAUSE_MS, (told * 1_000) / MOST_TOLD), undefined, { signal }).catch(() => {});
    }
  };

  const start = async (before: Promise<void>) => {
    await before.catch((error: unknown) => {
      lost = true;
      log.debug({ err: error }, 'the streams of changes could not be begun anew');
    });
    await tellAll();
    telling = false;
  };

  // what the leader before us did not get told is lost: numbers may not go on from where it stopped
  void start(forget(context));
  return (events) => {
    if (pending.size > MOST_PENDING) {
      pending.clear();
      lost = true;
    }
    for (const { job } of events) pending.add(job);
    if (telling || pending.size === 0) return;
    telling = true;
    void start(Promise.resolve());
  };
}

/** Voids the numbers of every stream: their followers, and who comes back with a cursor, get `reset`. */
async function forget({ redis, config }: Context): Promise<void> {
  await redis.del(changesKeys(config).told);
}

/** Answers how many changes the stream had that had most, as far as they are told. */
async function tell(context: Context, jobs: readonly string[]): Promise<number> {
  const owned = await context.db.any(
    sql.type(row(Owned))`select id, owner from jobs where id = any(${sql.array([...jobs], 'uuid')})`,
  );
  const owners = new Map(owned.map(({ id, owner }) => [id, owner]));
  // in the order in which they changed
  const known = jobs.filter((id) => owners.has(id));
  const byOwner = Map.groupBy(known, (id) => changesName(owners.get(id) ?? null));
  const told = (await followed(context, [[changesName(null), known], ...byOwner])).map(([name, ids]) => ({
    name,
    ids: ids.length > MOST_TOLD ? ids.slice(-1) : ids,
    // a number that nobody is told: who follows notices that something is missing
    missing: ids.length > MOST_TOLD ? 1 : 0,
  }));
  if (told.length === 0) return 0;
  await publish(context, told, await readSummaries(context, [...new Set(told.flatMap(({ ids }) => ids))]));
  return Math.max(...told.map(({ ids, missing }) => (missing > 0 ? MOST_TOLD : ids.length)));
}

type Stream = readonly [name: string, jobs: readonly string[]];

/** Those that somebody follows. */
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

interface Telling {
  readonly name: string;
  readonly ids: readonly string[];
  readonly missing: number;
}

async function publish(
  { redis, config }: Context,
  told: readonly Telling[],
  jobs: ReadonlyMap<string, JobSummary>,
): Promise<void> {
  const keys = changesKeys(config);
  await redis.hsetnx(keys.told, 'epoch', newEpoch());
  await redis.pexpire(keys.told, KEPT_MS);
  const epoch = await redis.hget(keys.told, 'epoch');
  const at = new Date().toISOString();
  for (const { name, ids, missing } of told) {
    const found = ids.flatMap((id) => jobs.get(id) ?? []);
    const last = await redis.hincrby(keys.told, numberField(name), missing + found.length);
    const pipeline = publisherOf(redis).pipeline();
    for (const [index, job] of found.entries()) {
      const n = last - found.length + 1 + index;
      const message = { epoch, n, type: changeType, at, data: jobSummaryView(job) };
      pipeline.publish(changesChannel(config, name), JSON.stringify(message));
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }
}
