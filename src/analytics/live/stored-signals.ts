import { sql } from 'slonik';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { PricePoint } from '#src/analytics/domain/signals/scorecard.ts';
import { type Signal, STORED_SIGNALS, type StoredSignals } from '#src/analytics/domain/signals/signals-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { marketName, readAnswer } from './publish-live.ts';

/** Field among a symbol's answers for its signals, so that they move on with what its stream publishes. */
export const signalsField = 'signals';

const check = Compile(STORED_SIGNALS);

/** Reads the stored signals of a symbol; null before the first tick, or where another version stored them otherwise. */
export async function readSignals(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<StoredSignals | null> {
  const stored: unknown = JSON.parse((await readAnswer(context, marketName(symbol), signalsField)) ?? 'null');
  return check.Check(stored) ? stored : null;
}

const priceRow = row(Type.Object({ as_of: Type.Number(), spot: Type.Number() }));

/** Reads the stored signals of a symbol, and its prices in the history from the first of them to the last expiry. */
export async function storedSignals(
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
