import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { appendEvent } from '#src/receipts/format/event-chain.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Mission } from './mission-row.ts';

/**
 * Types of a mission's events. Data of these events is public: hashes, names of ours and numbers, nothing of the
 * client's.
 */
export const missionEventTypes = [
  'mission.created',
  'policy.evaluated',
  'mission.started',
  'step.dispatched',
  'effect.dispatched',
  'step.succeeded',
  'effect.confirmed',
  'step.failed',
  'step.cancelled',
  'step.skipped',
  'human.requested',
  'human.verified',
  'human.declined',
  'human.expired',
  'mission.succeeded',
  'mission.failed',
  'mission.cancelled',
] as const;
export type MissionEventType = (typeof missionEventTypes)[number];

/** Types of notices that are published after the chain was closed: no part of the receipt. */
export const noticeTypes = ['receipt.sealed', 'receipt.anchored', 'mission.closed'] as const;

export type NoticeType = (typeof noticeTypes)[number];

export type EventData = Readonly<Record<string, string | number | boolean | null>>;

/** An event as it is stored; without hashes where it is a notice. */
export const StoredEvent = Type.Object({
  seq: Type.Integer(),
  type: Type.String(),
  at: Type.String(),
  data: Type.Unsafe<Record<string, unknown>>({}),
  prev: Type.Union([Type.String(), Type.Null()]),
  hash: Type.Union([Type.String(), Type.Null()]),
});
export type StoredEvent = Static<typeof StoredEvent>;

/** Events of one transaction on a mission that is new or whose row is locked. */
interface MissionLog {
  /** Adds to the chain that the receipt will seal. */
  readonly add: (type: MissionEventType, data?: EventData) => void;
  /** Tells something once the chain is closed. */
  readonly notice: (type: NoticeType, data: EventData) => void;
  readonly added: readonly StoredEvent[];
  /** Returns where the chain now ends. */
  readonly end: () => Pick<Mission, 'head' | 'chained' | 'events'>;
}

export function openMissionLog(mission: Pick<Mission, 'head' | 'chained' | 'events'>): MissionLog {
  const added: StoredEvent[] = [];
  let { head, chained, events } = mission;
  return {
    add: (type, data = {}) => {
      const event = appendEvent({ seq: chained, prev: head }, type, new Date().toISOString(), data);
      added.push(event);
      head = event.hash;
      chained++;
      events++;
    },
    notice: (type, data) => {
      added.push({ seq: events, type, at: new Date().toISOString(), data, prev: null, hash: null });
      events++;
    },
    added,
    end: () => ({ head, chained, events }),
  };
}

/** Events of a mission from number `from` on, at most `limit`. */
export async function readMissionEvents(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  from: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  return await db.any(sql.type(row(StoredEvent))`
    select seq, type, at, data, prev, hash from mission_events
    where mission = ${id} and seq >= ${from} order by seq limit ${limit}`);
}
