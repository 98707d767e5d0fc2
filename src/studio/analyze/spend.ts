import { sql } from 'slonik';
import { Type } from 'typebox';
import { counted } from '#src/lib/text/counted.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type AnalysisQuery, callsInWindow } from './window.ts';

type Db = Pick<Context, 'db'>;

const Totals = row(
  Type.Object({
    settled: Type.Integer(),
    quoted: Type.Integer(),
    reserved: Type.Integer(),
    unknown: Type.Integer(),
    calls: Type.Integer(),
    above: Type.Integer(),
  }),
);
const Day = row(
  Type.Object({ day: Type.String(), provider: Type.String(), calls: Type.Integer(), settled: Type.Integer() }),
);
const Exposure = row(Type.Object({ usd: Type.Number(), approvals: Type.Integer() }));

/** Sums up provider calls in dollars: their cost, their quotes, and what they may cost yet. */
export async function spendTotals({ db }: Db, query: AnalysisQuery) {
  const found = await db.one(sql.type(Totals)`
    select coalesce(sum(c.cost) filter (where c.state = 'settled'), 0)::bigint as settled,
      coalesce(sum(c.quoted) filter (where c.state = 'settled'), 0)::bigint as quoted,
      coalesce(sum(c.quoted) filter (where c.state = 'reserved'), 0)::bigint as reserved,
      coalesce(sum(coalesce(c.held, c.quoted)) filter (where c.state = 'unknown'), 0)::bigint as unknown,
      count(*) as calls, count(*) filter (where c.cost > c.quoted) as above
    from ${callsInWindow(query)}`);
  return {
    settledUsd: found.settled / 1e6,
    quotedUsd: found.quoted / 1e6,
    // what may have been done is held
    reservedUsd: (found.reserved + found.unknown) / 1e6,
    unknownUsd: found.unknown / 1e6,
    calls: found.calls,
    callsAboveQuote: found.above,
  };
}

/**
 * Spending by day (UTC) and provider, and what may be spent yet: approvals that wait for a decision or for their use.
 */
export async function analyzeSpend(context: Db, query: AnalysisQuery) {
  const { db } = context;
  const [totals, days, exposure] = await Promise.all([
    spendTotals(context, query),
    db.any(sql.type(Day)`
      select to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, c.provider, count(*) as calls,
        coalesce(sum(c.cost) filter (where c.state = 'settled'), 0)::bigint as settled
      from ${callsInWindow(query)} group by 1, 2 order by 1, 2`),
    db.one(sql.type(Exposure)`
      select coalesce(sum((effect ->> 'maxCostUsd')::numeric), 0)::float8 as usd, count(*) as approvals
      from approvals where owner = ${query.owner} and kind = 'render' and state in ('pending', 'granted') and expires_at > now()`),
  ]);
  return {
    figures: {
      ...totals,
      byDay: days.map(({ settled, ...day }) => ({ ...day, settledUsd: settled / 1e6 })),
      openApprovals: { count: exposure.approvals, ceilingUsd: exposure.usd },
    },
    findings: [
      ...(totals.callsAboveQuote > 0 ? [`${counted(totals.callsAboveQuote, 'call')} cost more than quoted.`] : []),
      ...(totals.unknownUsd > 0
        ? [`${totals.unknownUsd} dollars stay reserved for calls that may or may not have happened.`]
        : []),
    ],
  };
}
