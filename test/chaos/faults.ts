import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { FaultKind, PlannedFault } from './plan.ts';
import { chosen, type Slot } from './slot.ts';
import type { ChaosSystem } from './system.ts';

/** A fault that was done: its kind, time and target. Times are epoch ms. */
export interface DoneFault {
  readonly kind: FaultKind;
  readonly target: string;
  readonly at: number;
  /** Time at which the place served again, or the process went on. */
  readonly healedAt: number;
  /** Jobs that a killed or stopped worker was running. */
  readonly held: readonly string[];
}

type Perform = (system: ChaosSystem, fault: PlannedFault) => Promise<Pick<DoneFault, 'target' | 'held'>>;

const toSlot =
  (slotOf: (system: ChaosSystem, which: number) => Slot | Promise<Slot>, harm: 'kill' | 'pause' | 'drain'): Perform =>
  async (system, { which, forMs }) => {
    const slot = await slotOf(system, which);
    const held = slot.name.startsWith('worker') && harm !== 'drain' ? await heldBy(system, slot.pid()) : [];
    await slot[harm](forMs);
    return { target: slot.name, held };
  };

const worker = ({ workers }: ChaosSystem, which: number) => chosen(workers, which);
const api = ({ apis }: ChaosSystem, which: number) => chosen(apis, which);

const performs: Readonly<Record<FaultKind, Perform>> = {
  kill_worker: toSlot(worker, 'kill'),
  stop_worker: toSlot(worker, 'pause'),
  drain_worker: toSlot(worker, 'drain'),
  kill_lane: killLane,
  kill_api: toSlot(api, 'kill'),
  stop_api: toSlot(api, 'pause'),
  kill_relay_leader: toSlot(relayLeader, 'kill'),
  stop_relay_leader: toSlot(relayLeader, 'pause'),
  kill_redis: toSlot(({ redis }) => redis, 'kill'),
  stop_redis: toSlot(({ redis }) => redis, 'pause'),
  empty_redis: emptyRedis,
  kill_postgres: toSlot(({ postgres }) => postgres, 'kill'),
  stop_postgres: toSlot(({ postgres }) => postgres, 'pause'),
};

export async function perform(system: ChaosSystem, fault: PlannedFault): Promise<DoneFault> {
  const at = Date.now();
  const { target, held } = await performs[fault.kind](system, fault);
  return { kind: fault.kind, target, at, healedAt: Date.now(), held };
}

async function heldBy({ query }: ChaosSystem, pid: number): Promise<string[]> {
  const running = query<{ id: string }>(
    `select j.id from jobs j join workers w on w.id = j.worker_id where w.pid = $1 and j.state = 'running'`,
    [pid],
  );
  // Postgres may be away or stopped as well; then it is not known
  const known = await Promise.race([running.catch(() => []), sleep(500, [])]);
  return known.map(({ id }) => id);
}

/** The API process whose relay leads now; any, while none answers. */
async function relayLeader({ apis, apiUrls }: ChaosSystem, which: number): Promise<Slot> {
  const leads = await Promise.all(
    apiUrls
      .map(async (url) => {
        const answer = await fetch(`${url}/chaos/role`, { signal: AbortSignal.timeout(500) });
        return ((await answer.json()) as { leads: boolean }).leads;
      })
      .map((answer) => answer.catch(() => false)),
  );
  return apis[leads.indexOf(true)] ?? chosen(apis, which);
}

/** A process in which a suspect runs alone; they come and go, so it waits a little for one. */
async function killLane({ query }: ChaosSystem, { which }: PlannedFault): Promise<Pick<DoneFault, 'target' | 'held'>> {
  for (let left = 20; left > 0; left--) {
    const lanes = await query<{ pid: number }>(`select pid from workers where fleet = 'chaos-lane' order by id`).catch(
      () => [],
    );
    const lane = lanes[which % Math.max(1, lanes.length)];
    if (lane && isRunning(lane.pid)) {
      process.kill(lane.pid, 'SIGKILL');
      return { target: 'lane', held: [] };
    }
    await sleep(100);
  }
  return { target: 'none', held: [] };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function emptyRedis({ config }: ChaosSystem): Promise<Pick<DoneFault, 'target' | 'held'>> {
  const redis = new Redis(config.REDIS_URL, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  // waits for Redis when it is away: emptied it must be
  await redis.flushall();
  redis.disconnect();
  return { target: 'redis', held: [] };
}
