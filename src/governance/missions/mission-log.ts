import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { appendEvent } from '#src/receipts/format/event-chain.ts';
import type { MissionEvent } from '#src/receipts/format/receipt-schema.ts';
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

type EventData = Readonly<Record<string, string | number | boolean | null>>;

type StoredEvent = Omit<MissionEvent, 'prev' | 'hash'> & { readonly prev: string | null; readonly hash: string | null };

/** Events of one transaction on a mission whose row is locked; nothing is written before `write`. */
export interface MissionLog {
  /** Adds to the chain that the receipt will seal. */
  readonly add: (type: MissionEventType, data?: EventData) => void;
  /** Tells something once the chain is closed. */
  readonly notice: (type: (typeof noticeTypes)[number], data: EventData) => void;
  /** Writes what was added, and where the chain now ends. */
  readonly write: (tx: CommonQueryMethods) => Promise<readonly StoredEvent[]>;
}

export function openMissionLog(mission: Pick<Mission, 'id' | 'head' | 'chained' | 'events'>): MissionLog {
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
    write: async (tx) => {
      if (added.length === 0) return added;
      const rows = added.map(({ seq, type, at, data, prev, hash }) => [
        mission.id,
        seq,
        type,
        at,
        JSON.stringify(data),
        prev,
        hash,
      ]);
      const columns = ['uuid', 'int4', 'text', 'text', 'jsonb', 'text', 'text'];
      await tx.query(sql.unsafe`
        insert into mission_events (mission, seq, type, at, data, prev, hash) select * from ${sql.unnest(rows, columns)}`);
      await tx.query(sql.unsafe`
        update missions set head = ${head}, chained = ${chained}, events = ${events} where id = ${mission.id}`);
      return added;
    },
  };
}

const Stored = Type.Object({
  seq: Type.Integer(),
  type: Type.String(),
  at: Type.String(),
  data: Type.Unsafe<Record<string, unknown>>({}),
  prev: Type.Union([Type.String(), Type.Null()]),
  hash: Type.Union([Type.String(), Type.Null()]),
});

/** Events of a mission from number `from` on, at most `limit`. */
export async function readMissionEvents(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  from: number,
  limit: number,
): Promise<readonly Static<typeof Stored>[]> {
  return await db.any(sql.type(row(Stored))`
    select seq, type, at, data, prev, hash from mission_events
    where mission = ${id} and seq >= ${from} order by seq limit ${limit}`);
}
