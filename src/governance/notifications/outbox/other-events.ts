import { type FragmentSqlToken, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { OPERATORS } from '#src/governance/notifications/alerts/alert.ts';
import { approvalTypes, missionType } from '#src/governance/notifications/endpoints/event-types.ts';
import type { Position } from '#src/jobs/ledger/relay-position.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type NotableEvent, pageOf } from './event.ts';

type Data = Readonly<Record<string, unknown>>;
type Reads = Pick<Context, 'db' | 'config'>;
const DataOf = Type.Unsafe<Data>({});
const Instant = Type.Unsafe<Date>({});

/** Part of the ledger between two looks. */
export interface Span {
  readonly from: Position;
  /** Snapshot of the later look. */
  readonly to: string;
}

/** Rows that the later look sees and the earlier one did not. */
const isNew = (column: FragmentSqlToken, { from, to }: Span): FragmentSqlToken => sql.fragment`
  (${column} >= ${from.xmax}::text::xid8 or ${column} = any(${sql.array([...from.open], 'text')}::xid8[]))
  and pg_visible_in_snapshot(${column}, ${to}::text::pg_snapshot)`;

const OwnerRow = Type.Object({
  owner: Type.String(),
  n: Type.Integer(),
  type: Type.String(),
  at: Instant,
  data: DataOf,
  kind: Type.Union([Type.String(), Type.Null()]),
  effect: Type.Union([DataOf, Type.Null()]),
  requestedBy: Type.Union([Type.String(), Type.Null()]),
});
type OwnerRow = Static<typeof OwnerRow>;

/**
 * Reads what owners’ streams carry: decisions, money, what was made. Events of jobs among them come from the ledger of
 * jobs.
 */
export async function readOwnerEvents({ db, config }: Reads, span: Span): Promise<readonly NotableEvent[]> {
  const rows = await db.any(sql.type(row(OwnerRow))`
    select o.owner, o.n, o.type, o.at, o.data, a.kind, a.requested_by as "requestedBy",
      jsonb_build_object('title', a.effect -> 'title', 'queue', a.effect -> 'queue', 'why', a.effect -> 'why',
        'channels', a.effect -> 'channels', 'prompt', left(a.effect ->> 'prompt', 200)) as effect
    from owner_events o
    left join approvals a on o.type like 'approval.%' and a.id = (o.data ->> 'approval')::uuid
    where ${isNew(sql.fragment`o.xid`, span)} and o.type not like 'job.%'`);
  return rows.map((one) => ownerEvent(config, one));
}

function ownerEvent(config: Context['config'], found: OwnerRow): NotableEvent {
  const { owner, n, type, at, data } = found;
  const event = { key: `owner:${owner}:${n}`, owner, type, at };
  if (!type.startsWith('approval.')) return { ...event, data: { ...data, owner, url: pageOf(config, '/studio') } };
  return { ...event, type: approvalTypes[type] ?? type, data: approvalData(config, found) };
}

function approvalData(config: Context['config'], { owner, type, data, kind, effect, requestedBy }: OwnerRow): Data {
  const { approval, expiresAt, ...rest } = data;
  const isDecided = approvalTypes[type] === 'approval.decided';
  return {
    ...rest,
    id: approval,
    owner,
    kind,
    title: approvalTitle(kind, effect),
    why: effect?.['why'] ?? null,
    requested_by: requestedBy,
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(isDecided && { decision: type.slice('approval.'.length) }),
    url: pageOf(config, `/studio/approvals/${String(approval)}`),
  };
}

function approvalTitle(kind: string | null, effect: Data | null): string {
  const { title, queue, channels, prompt } = effect ?? {};
  if (kind === 'job') return `run ${String(queue)}: ${String(title ?? queue)}`;
  if (kind === 'publish') return `publish to ${Array.isArray(channels) ? channels.join(', ') : 'a channel'}`;
  return typeof prompt === 'string' ? `render “${prompt}”` : 'render a plan';
}

const MissionRow = Type.Object({
  mission: Type.String(),
  seq: Type.Integer(),
  type: Type.String(),
  at: Type.String(),
  data: DataOf,
  owner: Type.String(),
  state: Type.String(),
  error: Type.Unsafe<unknown>({}),
});

/** Reads what streams of missions carry; types of their steps begin with `mission.` too. */
export async function readMissionEvents({ db, config }: Reads, span: Span): Promise<readonly NotableEvent[]> {
  const rows = await db.any(sql.type(row(MissionRow))`
    select e.mission, e.seq, e.type, e.at, e.data, m.owner, m.state, m.error
    from mission_events e join missions m on m.id = e.mission
    where ${isNew(sql.fragment`e.xid`, span)}`);
  return rows.map(({ mission, seq, type, at, data, owner, state, error }) => ({
    key: `mission:${mission}:${seq}`,
    owner,
    type: missionType(type),
    at: new Date(at),
    data: {
      ...data,
      id: mission,
      n: seq,
      owner,
      state,
      error: type === 'mission.failed' ? (error ?? null) : null,
      links: { self: `/api/v1/missions/${mission}`, receipt: `/api/v1/receipts/${mission}` },
      url: pageOf(config, `/missions/${mission}`),
    },
  }));
}

const NoticeRow = Type.Object({
  owner: Type.String(),
  key: Type.String(),
  type: Type.String(),
  at: Instant,
  data: DataOf,
});

/** Reads events that no other table holds. */
export async function readNotices({ db, config }: Reads, span: Span): Promise<readonly NotableEvent[]> {
  const rows = await db.any(sql.type(row(NoticeRow))`
    select o.owner, o.key, o.type, o.at, o.data from notices o where ${isNew(sql.fragment`o.xid`, span)}`);
  return rows.map(({ owner, key, type, at, data }) => ({
    key: `notice:${owner}:${key}`,
    owner,
    type,
    at,
    data: { ...data, owner: owner === OPERATORS ? null : owner, url: pageOf(config, pageOfNotice(type, data)) },
    ...(type.startsWith('alert.') && typeof data['queue'] === 'string' && placeOf(data)),
  }));
}

/** Queue and group that an alert is about, by which endpoints narrow what they want. */
function placeOf({ queue, group }: Data): Pick<NotableEvent, 'queue' | 'group'> {
  return { queue: String(queue), group: typeof group === 'string' ? group : null };
}

/** Path of the console’s page about a notice. */
function pageOfNotice(type: string, { id, job, queue }: Data): string {
  const [family] = type.split('.');
  if (family === 'batch') return `/jobs/${String(id)}`;
  if (family === 'package') return `/studio/jobs/${String(job)}`;
  if (type === 'alert.limit_refuses') return '/limits';
  if (family === 'alert') return `/queues/${encodeURIComponent(String(queue))}`;
  return family === 'endpoint' ? '/notifications' : '/';
}
