import { type FragmentSqlToken, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { countNames, ofCounts } from './counts.ts';
import { type Coverage, coverageOf, type Span } from './coverage.ts';
import type { Resolution } from './resolutions.ts';
import { mergeSketches, type Sketch } from './sketch.ts';

const SketchColumn = Type.Unsafe<Sketch>({});

/** Columns of such figures. */
export const Figures = Type.Object({ ...ofCounts(() => Type.Integer()), waits: SketchColumn, runs: SketchColumn });

/** Figures of jobs in a time: what became of them, and for how long they waited and ran. */
export type PastFigures = Static<typeof Figures>;

/** The part of the past that is asked for. */
export interface Past {
  /** Queues that are added up; null for all there are. */
  readonly queues: readonly string[] | null;
  /** Group in them; null for all groups together. */
  readonly group: string | null;
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly resolution: Resolution;
}

/** A step of the past that is known, or in part. */
export interface PastPoint extends PastFigures {
  readonly at: Date;
  /** False where a part of it is not known, or not over. */
  readonly isWhole: boolean;
}

const pointRow = row(Type.Interface([Figures], { at: Type.Unsafe<Date>({}) }));
const partRow = row(Type.Interface([Figures], { name: Type.String() }));
const spanRow = row(Type.Object({ since: Type.Unsafe<Date>({}), until: Type.Unsafe<Date>({}) }));

const listOf = (columns: readonly FragmentSqlToken[]) => sql.join(columns, sql.fragment`, `);
const counts = countNames.map((name) => sql.identifier([name]));
const countColumns = listOf(counts.map((name) => sql.fragment`${name}`));

const within = ({ resolution: { seconds }, from, to }: Past) => sql.fragment`
  resolution = ${seconds} and start >= ${from.toISOString()}::timestamptz and start < ${to.toISOString()}::timestamptz`;
const among = (queues: readonly string[]) => sql.fragment`queue = any(${sql.array([...queues], 'text')})`;
// all together are kept as a queue without a name
const chosen = (past: Past) => sql.fragment`${within(past)} and ${among(past.queues ?? [''])}`;

/** Sums of what a column tells apart, with their sketches added up bucket by bucket. */
const sums = (by: FragmentSqlToken, which: FragmentSqlToken) => sql.fragment`
  picked as (
    select ${by} as part, ${countColumns}, waits, runs
    from queue_history where ${which}
  ), counts as (
    select part, ${listOf(counts.map((name) => sql.fragment`sum(${name})::int8 as ${name}`))}
    from picked group by part
  ), times as (
    select part, coalesce(jsonb_object_agg(bucket, n) filter (where kind = 'wait'), '{}') as waits,
      coalesce(jsonb_object_agg(bucket, n) filter (where kind = 'run'), '{}') as runs
    from (
      select part, kind, bucket, sum(n) as n from (
        select part, 'wait' as kind, e.key as bucket, e.value::bigint as n from picked, jsonb_each_text(waits) e
        union all
        select part, 'run', e.key, e.value::bigint from picked, jsonb_each_text(runs) e
      ) each group by part, kind, bucket
    ) bucketed group by part
  )`;

const columns = sql.fragment`${countColumns},
  coalesce(waits, '{}') as waits, coalesce(runs, '{}') as runs`;

/** Reads the steps of a time in their order. What is not known is not there; what is known and had no jobs is zero. */
export async function readPoints(context: Context, past: Past): Promise<readonly PastPoint[]> {
  const { from, to, stepSeconds, group } = past;
  const [found, covered] = await Promise.all([
    context.db.any(sql.type(pointRow)`
      with ${sums(
        sql.fragment`date_bin(${stepSeconds} * interval '1 s', start, ${from.toISOString()}::timestamptz)`,
        sql.fragment`${chosen(past)} and group_name = ${group ?? ''}`,
      )}
      select part as at, ${columns} from counts left join times using (part)`),
    readCoverage(context, past),
  ]);
  const figuresAt = new Map(found.map(({ at, ...figures }) => [at.getTime(), figures]));
  const steps = Math.ceil((to.getTime() - from.getTime()) / (stepSeconds * 1_000));
  return Array.from({ length: steps }, (_, place) => from.getTime() + place * stepSeconds * 1_000).flatMap((at) => {
    const known = covered(at, at + stepSeconds * 1_000);
    if (known === 'none') return [];
    return [{ ...(figuresAt.get(at) ?? addFigures([])), at: new Date(at), isWhole: known === 'whole' }];
  });
}

/** Answers how much is known of a time in these buckets: of none that were forgotten. */
async function readCoverage(context: Context, { resolution }: Past): Promise<Coverage> {
  const kept = await context.db.one(sql.type(row(Type.Object({ since: Type.Unsafe<Date>({}) })))`
    select now() - ${resolution.days(context.config)} * interval '1 day' as since`);
  const spans: readonly Span[] = await context.db.any(
    sql.type(spanRow)`select since, until from queue_history_spans order by since`,
  );
  return coverageOf(spans, kept.since.getTime());
}

/** A queue or a group in a time. */
export interface PastPart extends PastFigures {
  readonly name: string;
}

/** Reads the sums of each group of the queues in a time, the busiest first. */
export async function readGroupParts(context: Context, past: Past): Promise<readonly PastPart[]> {
  const which = sql.fragment`${chosen(past)} and group_name <> ''`;
  return await readParts(context, sql.fragment`group_name`, which);
}

/** Reads the sums of each queue in a time, the busiest first. */
export async function readQueueParts(context: Context, past: Past): Promise<readonly PastPart[]> {
  const each = past.queues === null ? sql.fragment`queue <> ''` : among(past.queues);
  return await readParts(context, sql.fragment`queue`, sql.fragment`${within(past)} and ${each} and group_name = ''`);
}

async function readParts(
  context: Context,
  by: FragmentSqlToken,
  which: FragmentSqlToken,
): Promise<readonly PastPart[]> {
  return await context.db.any(sql.type(partRow)`
    with ${sums(by, which)}
    select part as name, ${columns} from counts left join times using (part)
    order by submitted + started + succeeded + failed + cancelled + expired desc, part`);
}

/** The sum of figures. */
export function addFigures(all: readonly PastFigures[]): PastFigures {
  return {
    ...ofCounts((name) => all.reduce((sum, one) => sum + one[name], 0)),
    waits: mergeSketches(all.map(({ waits }) => waits)),
    runs: mergeSketches(all.map(({ runs }) => runs)),
  };
}
