import { Compile } from 'typebox/compile';
import { KEPT_SIGNALS, type KeptSignals } from '#src/analytics/domain/signals/signals-schema.ts';
import type { Context } from '#src/system/context.ts';
import { marketName, readAnswer } from './live-tell.ts';

/** Where a symbol's signals are kept among its answers, so that they move on with what its stream is told. */
export const signalsField = 'signals';

const check = Compile(KEPT_SIGNALS);

/** What is kept of a symbol's signals; null before the first tick, or where another version kept it otherwise. */
export async function readSignals(
  context: Pick<Context, 'redis' | 'config'>,
  symbol: string,
): Promise<KeptSignals | null> {
  const kept: unknown = JSON.parse((await readAnswer(context, marketName(symbol), signalsField)) ?? 'null');
  return check.Check(kept) ? kept : null;
}
