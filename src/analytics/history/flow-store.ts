import { sql } from 'slonik';
import Type from 'typebox';
import type { FlowState } from '#src/analytics/domain/positions/flow-state.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const stateRow = row(Type.Object({ state: Type.Unsafe<FlowState>({}) }));

/** The dealers' inventory on the newest morning that was kept of a symbol's feed; null before the first. */
export async function readMorning({ db }: Pick<Context, 'db'>, symbol: string): Promise<FlowState | null> {
  const found = await db.maybeOne(sql.type(stateRow)`select state from flow_mornings where symbol = ${symbol}`);
  return found?.state.version === 1 ? found.state : null;
}

/** Keeps a morning. The first one of a day is final, and none gives way to one before it. */
export async function keepMorning({ db }: Pick<Context, 'db'>, symbol: string, state: FlowState): Promise<void> {
  await db.query(sql.unsafe`
    insert into flow_mornings (symbol, date, state) values (${symbol}, ${state.date}, ${JSON.stringify(state)}::json)
    on conflict (symbol) do update set date = excluded.date, state = excluded.state
    where flow_mornings.date < excluded.date`);
}
