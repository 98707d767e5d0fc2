import type { Client } from 'pg';
import { type BrokerLine, brokerId, type Delivery, type Versioned } from '#src/jobs/broker/broker-names.ts';
import { carriedDelivery } from '#src/jobs/broker/carriers.ts';
import { readCarried } from '#src/jobs/broker/read-carried.ts';
import type { Context } from '#src/system/context.ts';
import type { Bound } from './places.ts';

/** Groups with so few jobs in the window are looked at in every pass: has one of them nothing there any more? */
const FEW = 16;
/** Time after which what is remembered of the window is compared with what the broker has, ms. */
const COMPARE_MS = 1_000;

/** Deliveries that still wait, of some. */
const stillWaiting = {
  name: 'still-waiting',
  text: `select j.id, j.dispatch from jobs j where j.id = any($1::uuid[]) and j.state = 'queued'`,
};

/** Jobs of a line that were fed to its window, as long as they are there: remembered, and written nowhere. */
export interface Remembered {
  readonly has: (group: string) => boolean;
  readonly sizeOf: (group: string) => number;
  readonly jobs: () => readonly Bound[];
  readonly holds: (group: string, job: Delivery) => boolean;
  /** Says that a group has these there, and of those of before the ones that `keeps` names. */
  readonly put: (group: string, added: readonly (Delivery & Bound)[], keeps: (job: string) => boolean) => void;
  /** Forgets groups that stand in line no more. */
  readonly keepGroups: (names: ReadonlySet<string>) => void;
  /** Forgets what no longer stands in line: it was claimed meanwhile. */
  readonly keepOnly: (stands: (job: string) => boolean) => void;
  /** Now and again: forgets what the broker no longer has. Lost with it, it would stand in line for ever. */
  readonly compare: () => Promise<void>;
  /** Forgets what was claimed meanwhile: of small groups, whose next job goes before those of others, or of all. */
  readonly prune: (all: boolean) => Promise<void>;
}

/** Opens the memory of one line's window. */
export function openRemembered(context: Context, client: Client, line: Versioned): Remembered {
  const groups = new Map<string, ReadonlyMap<string, Bound>>();
  const lines: readonly BrokerLine[] = [false, true].map((suspect) => ({ ...line, suspect }));
  let comparedAt = -Infinity;

  const keep = (group: string, jobs: ReadonlyMap<string, Bound>, keeps: (job: string) => boolean) => {
    const still = new Map([...jobs].filter(([job]) => keeps(job)));
    if (still.size > 0) groups.set(group, still);
    else groups.delete(group);
  };

  return {
    has: (group) => groups.has(group),
    sizeOf: (group) => groups.get(group)?.size ?? 0,
    jobs: () => [...groups.values()].flatMap((jobs) => [...jobs.values()]),
    holds: (group, job) => groups.get(group)?.has(brokerId(job)) ?? false,
    put: (group, added, keeps) => {
      const before = [...(groups.get(group) ?? [])].filter(([job]) => keeps(job));
      const fed = added.map((job) => [brokerId(job), { owner: job.owner, key: job.key }] as const);
      keep(group, new Map([...before, ...fed]), () => true);
    },
    keepGroups: (names) => {
      for (const group of groups.keys()) if (!names.has(group)) groups.delete(group);
    },
    keepOnly: (stands) => {
      for (const [group, jobs] of groups) keep(group, jobs, stands);
    },
    compare: async () => {
      if (performance.now() - comparedAt < COMPARE_MS) return;
      const carried = await Promise.all(lines.map((one) => readCarried(context, one)));
      const known = new Set(carried.flat().flatMap(({ jobs }) => jobs));
      for (const [group, jobs] of groups) keep(group, jobs, (job) => known.has(job));
      comparedAt = performance.now();
    },
    prune: async (all) => {
      const looked = [...groups].filter(([, jobs]) => all || jobs.size <= FEW);
      const ids = looked.flatMap(([, jobs]) => [...jobs.keys()].map((job) => carriedDelivery(job).id));
      if (ids.length === 0) return;
      const { rows } = await client.query<Delivery>({ ...stillWaiting, values: [ids] });
      const waiting = new Set(rows.map(brokerId));
      for (const [group, jobs] of looked) keep(group, jobs, (job) => waiting.has(job));
    },
  };
}
