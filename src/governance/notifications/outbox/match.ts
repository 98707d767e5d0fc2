import { sql } from 'slonik';
import { Type } from 'typebox';
import { linkIssuer } from '#src/access/sessions/operator-link.ts';
import { isOperator } from '#src/access/sessions/people.ts';
import { type Family, wantsFamily, wantsType } from '#src/governance/notifications/endpoints/event-types.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { NotableEvent } from './event.ts';

const Wanting = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  events: Type.Array(Type.String()),
  queues: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  symbols: Type.Array(Type.String()),
  everyOwner: Type.Boolean(),
  /** An operator’s key made it, and is valid. */
  hasKey: Type.Boolean(),
  issuer: Type.Union([Type.String(), Type.Null()]),
  /** Address of the person who made it; null where they are gone. */
  email: Type.Union([Type.String(), Type.Null()]),
});
type Wanting = Type.Static<typeof Wanting>;

/** Endpoints that are enabled, by what they want. */
export interface Audience {
  readonly size: number;
  /** Owners of whom an endpoint wants events of a family; null for all owners. */
  readonly ownersOf: (family: Family) => readonly string[] | null;
  /** Endpoints that want an event. */
  readonly of: (event: NotableEvent) => readonly Pick<Wanting, 'id' | 'owner'>[];
}

/** Reads the endpoints that are enabled. */
export async function readAudience({ db, config }: Pick<Context, 'db' | 'config'>): Promise<Audience> {
  const all = await db.any(sql.type(row(Wanting))`
    select p.id, p.owner, p.events, p.queues, p.groups, p.symbols, p.every_owner as "everyOwner", p.issuer, i.email,
      coalesce(k.operator and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()), false) as "hasKey"
    from webhook_endpoints p
    left join keys k on p.every_owner and k.id = p.key_id
    left join identities i on p.every_owner and i.issuer = p.issuer and i.subject = p.subject
    where p.enabled and p.listed`);
  const hasReach = ({ everyOwner, hasKey, email, issuer }: Wanting): boolean =>
    everyOwner && (hasKey || (email !== null && (issuer === linkIssuer || isOperator(config, email))));
  const wide = all.filter(hasReach);
  const own = Map.groupBy(
    all.filter((one) => !hasReach(one)),
    ({ owner }) => owner,
  );
  return {
    size: all.length,
    ownersOf: (family) => {
      if (wide.some(({ events }) => wantsFamily(events, family))) return null;
      return [...own].flatMap(([owner, of]) => (of.some(({ events }) => wantsFamily(events, family)) ? [owner] : []));
    },
    of: (event) => {
      const mine = event.owner === null ? [...own.values()].flat() : (own.get(event.owner) ?? []);
      return [...mine, ...wide].filter((one) => wants(one, event));
    },
  };
}

function wants({ events, queues, groups, symbols }: Wanting, { type, queue, group, symbol }: NotableEvent): boolean {
  if (!wantsType(events, type)) return false;
  if (queue !== undefined && queues.length > 0 && !queues.includes(queue)) return false;
  if (queue !== undefined && groups.length > 0 && !groups.includes(group ?? '')) return false;
  return symbol === undefined || symbols.length === 0 || symbols.includes(symbol);
}
