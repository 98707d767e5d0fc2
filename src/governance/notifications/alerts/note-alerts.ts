import { sql } from 'slonik';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Alert, AlertKind } from './alert.ts';
import { findQueueAlerts } from './find-queue-alerts.ts';
import { watchRefusals } from './find-refusal-alerts.ts';

/** Beginning of the keys of notices of alerts. */
const PREFIX = 'alert:';

const OpenRow = row(
  Type.Object({
    owner: Type.String(),
    /** Key of its beginning. */
    key: Type.String(),
    type: Type.String(),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
    at: Type.Unsafe<Date>({}),
  }),
);

/** Notes what begins to be wrong and what is right again. */
export interface AlertNotes {
  /** One look, at `now` (epoch ms). What cannot be read now neither begins nor ends. */
  readonly look: (now: number) => Promise<void>;
}

/**
 * Writes a notice for each alert when it begins, and one when it ends. Which are open is read from these notices: the next
 * process goes on with them, and none is told twice.
 */
export function openAlerts(context: Context): AlertNotes {
  const refusals = watchRefusals(context);
  return {
    look: async (now) => {
      const [queues, limits] = await Promise.allSettled([findQueueAlerts(context, now), refusals.find(now)]);
      const found: Alert[] = [];
      const known = new Set<AlertKind>();
      if (queues.status === 'fulfilled') {
        found.push(...queues.value);
        for (const kind of ['group_starves', 'version_not_taken', 'queue_paused', 'fleet_gone'] as const)
          known.add(kind);
      }
      if (limits.status === 'fulfilled') {
        found.push(...limits.value.alerts);
        if (limits.value.isComplete) known.add('limit_refuses');
      }
      await note(context, found, known);
      for (const one of [queues, limits]) if (one.status === 'rejected') throw one.reason;
    },
  };
}

async function note(context: Context, found: readonly Alert[], known: ReadonlySet<AlertKind>): Promise<void> {
  const { db } = context;
  const open = await db.any(sql.type(OpenRow)`
    select n.owner, n.key, n.type, n.data, n.at from notices n
    where n.type like 'alert.%' and n.data ->> 'state' = 'began'
      and not exists (select from notices e where e.owner = n.owner and e.key = n.key || ':ended')`);
  const ownedName = (owner: string, name: string) => `${owner} ${name}`;
  const nameOfRow = ({ owner, key }: { owner: string; key: string }) =>
    ownedName(owner, key.slice(0, key.lastIndexOf(':')));
  const isOpen = new Set(open.map(nameOfRow));
  const stillThere = new Set(found.map((alert) => ownedName(alert.owner, nameOf(alert))));
  for (const alert of found)
    if (alert.begins && !isOpen.has(ownedName(alert.owner, nameOf(alert)))) await begin(context, alert);
  for (const opened of open) {
    const { owner, key, type, data, at } = opened;
    if (stillThere.has(nameOfRow(opened))) continue;
    if (!known.has(type.slice('alert.'.length) as AlertKind)) continue;
    const ended = JSON.stringify({ ...data, state: 'ended', since: at.toISOString() });
    await db.query(sql.unsafe`
      insert into notices (owner, key, type, data) values (${owner}, ${`${key}:ended`}, ${type}, ${ended}::jsonb)
      on conflict do nothing`);
  }
}

/** Writes the beginning, under the next number of its name: two processes at once write one. */
async function begin({ db }: Context, alert: Alert): Promise<void> {
  const name = `${nameOf(alert)}:`;
  const data = JSON.stringify({ state: 'began', ...alert.data });
  await db.query(sql.unsafe`
    insert into notices (owner, key, type, data)
    select ${alert.owner}, ${name} || coalesce(max(split_part(substr(n.key, ${name.length + 1}), ':', 1)::int) + 1, 1),
      ${`alert.${alert.kind}`}, ${data}::jsonb
    from notices n where n.owner = ${alert.owner} and starts_with(n.key, ${name})
    on conflict do nothing`);
}

function nameOf({ kind, subject }: Pick<Alert, 'kind' | 'subject'>): string {
  return `${PREFIX}${kind}:${JSON.stringify(subject)}`;
}
