import type { Client } from 'pg';
import { brokerId, type Versioned } from '#src/jobs/broker/broker-names.ts';
import { groupOf, placeInGroup } from '#src/jobs/model/feed.ts';
import { type Found, foundOf, inLine, type LineRow, lineColumns } from './looks.ts';
import type { Barred, Places } from './places.ts';

/** Jobs of a line that one look reads; a longer one is looked at group by group. */
const MOST = 1_000;
/** Groups that are looked at one by one: of a few only those jobs are read that have room. */
const FEW_GROUPS = 8;
/** Time for which a line that was found longer is taken for long, ms. */
const LONG_MS = 500;

const wholeLine = {
  name: 'whole-line',
  rowMode: 'array' as const,
  text: `
    select ${lineColumns}, ${groupOf} from jobs j where ${inLine}
    order by j.queue, j.version, ${groupOf}, ${placeInGroup}, j.id limit ${MOST + 1}`,
};

/** The jobs of a short line, in the order of each group, those that are in the window among them. */
export interface WholeLine {
  readonly byGroup: ReadonlyMap<string, readonly Found[]>;
  readonly has: (job: string) => boolean;
}

/**
 * Opens the look at all of a line at once: with few jobs of many groups it costs a small part of one look for each group.
 *
 * @returns a function of how many groups the line had, that answers null where those are few or the line is long
 */
export function openWholeLine(client: Client, line: Versioned): (groups: number) => Promise<WholeLine | null> {
  let longUntil = -Infinity;
  return async (groups) => {
    if (groups <= FEW_GROUPS || performance.now() < longUntil) return null;
    const { rows } = await client.query<LineRow<[group: string]>>({ ...wholeLine, values: [line.queue, line.version] });
    if (rows.length > MOST) {
      longUntil = performance.now() + LONG_MS;
      return null;
    }
    const now = new Date();
    const jobs = rows.map((row) => foundOf(line, row, row[7], now));
    const ids = new Set(jobs.map(brokerId));
    return { byGroup: Map.groupBy(jobs, ({ group }) => group), has: (job) => ids.has(job) };
  };
}

/** Picks the jobs that no rule keeps from being fed. */
export function freeOf({ byGroup }: WholeLine, barred: Places['barred']): WholeLine['byGroup'] {
  if (!barred) return byGroup;
  const [isOwner, isKey] = [barredBy(barred.owners), barredBy(barred.keys)];
  const isFree = ({ owner, key }: Found) => !isOwner(owner) && !isKey(key ?? '');
  return new Map([...byGroup].map(([name, jobs]) => [name, jobs.filter(isFree)]));
}

function barredBy({ names, only }: Barred): (name: string) => boolean {
  const known = new Set(names);
  return (name) => known.has(name) !== only;
}
