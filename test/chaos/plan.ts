import type { Transport } from '#src/http/streams/stream-message.ts';
import { type Random, seeded } from './random.ts';

export const kinds = [
  'succeed',
  'fail_once',
  'refuse',
  'idempotent',
  'queryable',
  'neither',
  'wait',
  'delayed',
] as const;
export type Kind = (typeof kinds)[number];

/** One job of the load. Times in ms. */
export interface PlannedJob {
  readonly index: number;
  readonly kind: Kind;
  /** Time of its submission, from the start. */
  readonly at: number;
  readonly workMs: number;
  /** Without a key a request whose answer was lost cannot be repeated. */
  readonly keyed: boolean;
  /** Submitted a second time with the same key, some time after it was accepted. */
  readonly again: number | null;
  readonly cancelAfter: number | null;
  readonly delay: number;
  readonly priority: number;
  /** Transport by which a subscriber follows it; null for most, which have no subscriber. */
  readonly followed: Transport | null;
}

export const faultKinds = [
  'kill_worker',
  'stop_worker',
  'drain_worker',
  'kill_lane',
  'kill_api',
  'stop_api',
  'kill_relay_leader',
  'stop_relay_leader',
  'kill_redis',
  'stop_redis',
  'empty_redis',
  'kill_postgres',
  'stop_postgres',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One fault. Which process it meets depends on the run where that is a role (leader, lane), else on `which` alone. */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly at: number;
  readonly which: number;
  /** Time that it stays stopped, or stays away before it is started again; ms. */
  readonly forMs: number;
}

export interface Plan {
  readonly seed: number;
  readonly jobs: readonly PlannedJob[];
  readonly faults: readonly PlannedFault[];
  /** Time at which the last job is submitted and the last fault begins, ms. */
  readonly lengthMs: number;
}

export interface Extent {
  readonly jobs: number;
  readonly lengthMs: number;
  readonly faultEveryMs: number;
  readonly leaseMs: number;
}

/** Everything that a seed decides before the run begins. */
export function planOf(seed: number, { jobs, lengthMs, faultEveryMs, leaseMs }: Extent): Plan {
  const random = seeded(seed);
  const load = random.fork('jobs');
  return {
    seed,
    jobs: Array.from({ length: jobs }, (_, index) => planJob(load, index, (index / jobs) * lengthMs)),
    faults: planFaults(random.fork('faults'), lengthMs, faultEveryMs, leaseMs),
    lengthMs,
  };
}

const mix: readonly Kind[] = [
  ...Array<Kind>(7).fill('succeed'),
  ...Array<Kind>(3).fill('fail_once'),
  'refuse',
  ...Array<Kind>(3).fill('idempotent'),
  ...Array<Kind>(3).fill('queryable'),
  'neither',
  'wait',
  'delayed',
];

function planJob(random: Random, index: number, at: number): PlannedJob {
  const kind = random.pick(mix as readonly [Kind, ...Kind[]]);
  // what waits to be cancelled would hold up the suspects behind it for minutes, if no client learned its id
  const keyed = random.chance(0.9) || kind === 'wait';
  return {
    index,
    kind,
    at: at + random.next() * 50,
    workMs: random.whole(0, 250),
    keyed,
    again: random.chance(0.1) && keyed ? random.whole(0, 3_000) : null,
    cancelAfter: kind === 'wait' ? random.whole(100, 1_500) : random.chance(0.05) ? random.whole(0, 400) : null,
    delay: kind === 'delayed' ? random.whole(300, 5_000) : 0,
    // few: they run after all others, so on a slow machine they wait for the end
    priority: random.chance(0.05) ? random.whole(0, 1_000) : 0,
    followed: random.chance(0.12) ? random.pick(['sse', 'websocket']) : null,
  };
}

/** Every kind of fault once in every round, in an order of its own; Redis is emptied in the first round only. */
function planFaults(random: Random, lengthMs: number, everyMs: number, leaseMs: number): PlannedFault[] {
  const faults: PlannedFault[] = [];
  let round: FaultKind[] = [];
  for (let at = everyMs / 2; at < lengthMs; at += everyMs * (0.5 + random.next())) {
    if (round.length === 0)
      round = shuffled(random, faults.length === 0 ? faultKinds : faultKinds.filter((kind) => kind !== 'empty_redis'));
    const kind = round.pop() ?? 'kill_worker';
    faults.push({ kind, at, which: random.whole(0, 1_000_000), forMs: durationOf(random, kind, leaseMs) });
  }
  return faults;
}

function durationOf(random: Random, kind: FaultKind, leaseMs: number): number {
  // past the lease, so that others take the work over while it sleeps, or every process loses its lease at once
  if (kind === 'stop_worker' || kind === 'stop_postgres') return Math.round(leaseMs * (1.2 + random.next()));
  if (kind.startsWith('stop_')) return random.whole(500, 2 * leaseMs);
  return random.whole(0, 1_000);
}

function shuffled(random: Random, kindsOfRound: readonly FaultKind[]): FaultKind[] {
  return kindsOfRound
    .map((kind) => ({ kind, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}
