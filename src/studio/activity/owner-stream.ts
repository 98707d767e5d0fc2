import { sql } from 'slonik';
import { Type } from 'typebox';
import { ownerChannel, readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import type { Position, StreamKind, StreamSource } from '#src/http/streams/stream-source.ts';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { recentWork } from './recent-work.ts';

const Numbers = Type.Object({ owner: Type.String(), n: Type.Integer() });

const ownerStreams = perContext((context): StreamKind => {
  const positions = async (owners: readonly string[]): Promise<ReadonlyMap<string, Position>> => {
    const [epoch, rows] = await Promise.all([
      readEpoch(context),
      context.db.any(sql.type(row(Numbers))`
        select owner, n from owner_feeds where owner = any(${sql.array([...owners], 'text')})`),
    ]);
    const known = new Map(rows.map(({ owner, n }) => [owner, n]));
    // an owner without events has a stream all the same
    return new Map(owners.map((owner) => [owner, { epoch, n: known.get(owner) ?? 0, ended: false }]));
  };
  return { name: 'studio', positions, ends: () => false };
});

/** Streams every event of an owner's work. The route that opens it has checked that the caller is that owner. */
export function ownerStream(context: Context, owner: string): StreamSource {
  return {
    channel: ownerChannel(context.config, owner),
    kind: ownerStreams(context),
    key: owner,
    replay: async (after, limit) =>
      (await readOwnerEvents(context, owner, after, limit)).map(({ at, ...event }) => ({
        ...event,
        at: at.toISOString(),
      })),
    snapshot: async () => {
      const position = (await ownerStreams(context).positions([owner])).get(owner);
      if (!position) return null;
      return { ...position, data: await recentWork(context, owner, 20) };
    },
  };
}
