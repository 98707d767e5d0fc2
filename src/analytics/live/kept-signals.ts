import { sql } from 'slonik';
import Type from 'typebox';
import type { PricePoint } from '#src/analytics/domain/signals/scorecard.ts';
import type { Signal } from '#src/analytics/domain/signals/signals-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { readSignals } from './live-signals.ts';

const priceRow = row(Type.Object({ as_of: Type.Number(), spot: Type.Number() }));

/** The signals of a symbol that are kept, and its prices in the history from the first of them to the last expiry. */
export async function keptSignals(
  context: Context,
  symbol: string,
): Promise<{ readonly signals: readonly Signal[]; readonly prices: readonly PricePoint[] }> {
  const signals = (await readSignals(context, symbol))?.recent ?? [];
  const begins = signals.map(({ as_of }) => as_of).toSorted()[0];
  const ends = signals
    .map(({ expires_at }) => expires_at)
    .toSorted()
    .at(-1);
  if (begins === undefined || ends === undefined) return { signals, prices: [] };
  // a day beyond: a signal counts only once a price at or past its expiry is known, be it of the next opening
  const prices = await context.db.any(sql.type(priceRow)`
    select (extract(epoch from as_of) * 1000)::float8 as as_of, spot from snapshots
    where symbol = ${symbol} and as_of >= ${begins}::timestamptz and as_of <= ${ends}::timestamptz + interval '5 days'
    order by as_of`);
  return { signals, prices };
}
