import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { newEpoch } from '#src/jobs/model/epoch.ts';
import type { Context } from '#src/system/context.ts';

/** Position of the relay and its history, as Redis remembers them. */
interface Checkpoint {
  readonly epoch: string;
  /** First transaction id that the relay's position had not passed. */
  readonly xmax: string;
}

const keyOf = ({ config }: Context) => `${config.REDIS_PREFIX}:relay`;

const TRIES = 20;

/**
 * Null where Redis knows nothing: a new one, or one that was emptied.
 *
 * @throws what Redis answers, when it stays away.
 */
async function readCheckpoint(context: Context): Promise<Checkpoint | null> {
  const ask = async () => await context.redis.hmget(keyOf(context), 'epoch', 'xmax');
  let answer = await ask().catch(() => null);
  // a process that has just begun is not yet connected
  for (let left = TRIES; !answer && left > 0; left--) {
    await sleep(100);
    answer = left > 1 ? await ask().catch(() => null) : await ask();
  }
  const [epoch, xmax] = answer ?? [];
  return epoch && xmax && /^[0-9]+$/.test(xmax) ? { epoch, xmax } : null;
}

/** Best effort: an older checkpoint only says less. */
function keepCheckpoint(context: Context, { epoch, xmax }: Checkpoint): void {
  context.redis
    .hset(keyOf(context), { epoch, xmax })
    .catch((error: unknown) => context.log.debug({ err: error }, 'the position of the relay was not kept in Redis'));
}

/** A snapshot of Postgres: what was visible to the relay's last look. */
export interface Position {
  readonly snapshot: string;
  /** First transaction id not yet given out. */
  readonly xmax: string;
  /** Transactions that were open. */
  readonly open: readonly string[];
}

/** Identity of the database, and its snapshot now. */
interface Here extends Position {
  readonly system: string;
  readonly timeline: number;
}

interface Stored {
  readonly epoch: string;
  readonly system_identifier: string;
  readonly timeline: number;
  readonly position: string | null;
  readonly xmax: string | null;
  readonly open: string[];
}

const asPosition = `position::text as position, pg_snapshot_xmax(position)::text as xmax,
  array(select x::text from pg_snapshot_xip(position) x) as open`;

/**
 * Takes over the cursor for `token`. A database that is another one, or runs on another timeline (restored, failed over
 * to a different history), or that is before what Redis remembers of it, raises the epoch and starts from now: every
 * subscriber gets `reset`.
 *
 * @throws what Redis answers while it is away: no event can be published then.
 */
export async function openPosition(
  context: Context,
  client: Client,
  token: string,
): Promise<{ readonly epoch: string; readonly position: Position }> {
  const { rows: identity } = await client.query<Here>(`
    select (select system_identifier::text from pg_control_system()) as system,
      -- not from pg_control_checkpoint(), which names the old timeline until the first checkpoint after a promotion
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      pg_current_snapshot()::text as snapshot, pg_snapshot_xmax(pg_current_snapshot())::text as xmax,
      -- what is open now commits later, and is new then
      array(select x::text from pg_snapshot_xip(pg_current_snapshot()) x) as open`);
  const here = identity[0];
  if (!here) throw new Error('expected the identity of the database, got no row');
  await client.query(
    `insert into relay (system_identifier, timeline, epoch) values ('', 0, $1) on conflict do nothing`,
    [newEpoch()],
  );
  const { rows } = await client.query<Stored>(`select epoch, system_identifier, timeline, ${asPosition} from relay`);
  const stored = rows[0];
  if (!stored) throw new Error('expected the cursor of the relay, got no row');

  const fresh = stored.system_identifier === '';
  const checkpoint = await readCheckpoint(context);
  // A restored copy knows nothing of what came after it: only a record outside shows that it ran further once.
  const restored =
    checkpoint !== null && (checkpoint.epoch !== stored.epoch || BigInt(checkpoint.xmax) > BigInt(stored.xmax ?? 0));
  const rewound = stored.xmax !== null && BigInt(stored.xmax) > BigInt(here.xmax);
  const same = stored.system_identifier === here.system && stored.timeline === here.timeline && !restored && !rewound;
  const epoch = same || (fresh && !restored) ? stored.epoch : newEpoch();
  if (epoch !== stored.epoch)
    context.log.warn({ epoch }, 'the database has another history than before; followers start over');
  const kept = same && stored.position !== null && stored.xmax !== null;
  const position = kept
    ? { snapshot: stored.position, xmax: stored.xmax, open: stored.open }
    : { snapshot: here.snapshot, xmax: here.xmax, open: here.open };
  await client.query(
    'update relay set leader_token = $1, epoch = $2, system_identifier = $3, timeline = $4, position = $5::text::pg_snapshot',
    [token, epoch, here.system, here.timeline, position.snapshot],
  );
  keepCheckpoint(context, { epoch, xmax: position.xmax });
  return { epoch, position };
}

/** Keeps the cursor; false when another leader has taken over, which the advisory lock alone would not show. */
export async function savePosition(
  context: Context,
  client: Client,
  token: string,
  { snapshot, xmax }: Position,
): Promise<boolean> {
  const { rows } = await client.query<{ epoch: string }>(
    'update relay set position = $2::text::pg_snapshot where leader_token = $1 returning epoch',
    [token, snapshot],
  );
  const [saved] = rows;
  // after the database, never before it: a checkpoint ahead of its database means a restored one
  if (saved) keepCheckpoint(context, { epoch: saved.epoch, xmax });
  return saved !== undefined;
}
