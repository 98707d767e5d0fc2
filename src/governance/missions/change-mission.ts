import type { DatabaseTransactionConnection } from 'slonik';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { publisherOf } from '#src/system/redis/redis-cluster.ts';
import { sharedTransaction } from '#src/system/shared-transaction.ts';
import type { Draft, Written } from './draft.ts';
import { lockMissions } from './lock-missions.ts';
import type { StoredEvent } from './mission-log.ts';
import { writeDrafts } from './write-drafts.ts';

/** Missions that one transaction changes, and the characters of outputs that it writes for more than one. */
const MOST_MISSIONS = 64;
const MOST_CHARACTERS = 16_000_000;

/** Channel on which the events of a mission are published. */
export function missionChannel({ REDIS_PREFIX }: Context['config'], id: string): string {
  return `${REDIS_PREFIX}:mission:${id}`;
}

/** Channel that names missions that have something to do, for their conductors. */
export function missionsChannel({ REDIS_PREFIX }: Context['config']): string {
  return `${REDIS_PREFIX}:missions`;
}

interface Change {
  readonly id: string;
  readonly work: (tx: DatabaseTransactionConnection, draft: Draft) => Promise<unknown>;
}

interface Changed {
  readonly answers: readonly unknown[];
  readonly written: readonly Written[];
  readonly epoch: string | null;
}

/**
 * Changes one mission under the lock of its row, so that two processes cannot fork its chain: what `work` writes in the
 * transaction and what it puts into the draft are committed together, or not at all; then the events are published.
 * Changes of one moment share a transaction. Where it fails, each is tried once more in one of its own, so `work` may
 * run twice; nothing of the first time is left then.
 *
 * @throws AppError `not_found`, and what `work` throws.
 */
export async function changeMission<T>(
  context: Context,
  id: string,
  work: (tx: DatabaseTransactionConnection, draft: Draft) => Promise<T>,
): Promise<T> {
  return (await changesOf(context)({ id, work })) as T;
}

const changesOf = perContext((context: Context) =>
  sharedTransaction<Change, unknown, Changed>(context, {
    size: MOST_MISSIONS,
    work: changeTogether,
    answer: async ({ answers, written, epoch }) => {
      await tellMissions(
        context,
        written.map(({ mission: { id }, events }) => ({ id, events })),
        epoch,
      );
      return answers;
    },
  }),
);

async function changeTogether(tx: DatabaseTransactionConnection, changes: readonly Change[]): Promise<Changed> {
  const drafts = await lockMissions(tx, [...new Set(changes.map(({ id }) => id))]);
  const answers: unknown[] = [];
  for (const { id, work } of changes) {
    const draft = drafts.get(id);
    if (!draft) throw new AppError('not_found', `No mission has the id ${id}.`, { mission: id });
    answers.push(await work(tx, draft));
  }
  const written = [...drafts.values()].map((draft) => draft.written());
  if (written.length > 1 && charactersOf(written) > MOST_CHARACTERS)
    throw new Error('expected outputs that fit into one statement, got more: each mission is written by itself');
  const { epoch, begun } = await writeDrafts(tx, written);
  for (const { mission, step, input } of begun) drafts.get(mission)?.inputs.set(step, input ?? {});
  return { answers, written, epoch };
}

function charactersOf(written: readonly Written[]): number {
  const lengths = written.flatMap(({ steps }) => [...steps.values()].map(({ change }) => change.outputLength ?? 0));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/**
 * Publishes events that are committed. One that is lost is found by its followers when they next compare.
 *
 * @param known history that their numbers belong to; null where it is to be read
 */
export async function tellMissions(
  context: Context,
  all: readonly { readonly id: string; readonly events: readonly StoredEvent[] }[],
  known: string | null = null,
): Promise<void> {
  const changed = all.filter(({ events }) => events.length > 0);
  if (changed.length === 0) return;
  const { redis, config, log } = context;
  try {
    const epoch = known ?? (await readEpoch(context));
    const pipeline = publisherOf(redis).pipeline();
    for (const { id, events } of changed) {
      for (const { seq, type, at, data } of events)
        pipeline.publish(missionChannel(config, id), JSON.stringify({ epoch, n: seq + 1, type, at, data }));
      pipeline.publish(missionsChannel(config), id);
    }
    await pipeline.exec();
  } catch (error) {
    log.debug({ err: error, missions: changed.length }, 'publications were lost');
  }
}
