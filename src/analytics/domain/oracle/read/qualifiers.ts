import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import type { Shock } from '#src/lib/words/shock.ts';

/** Limits of a question, as far as its words were understood. */
export interface Qualifiers {
  generation?: 1 | 2 | 3 | 'ensemble';
  bucket?: 'zero_dte' | 'week' | 'monthly';
  /** Calendar days to settlement. */
  tenor?: number;
  strike?: number;
  from?: string;
  to?: string;
  opening?: true;
  /** Set where the question names the present session. */
  today?: true;
  horizon?: '30m' | '1h' | 'close' | '1d';
  moves?: readonly Shock[];
  weights?: Readonly<Partial<Record<MarketSymbol, number>>>;
  distance?: true;
  certainty?: true;
  percentile?: true;
  /** Assumptions, in sentences. */
  readonly notes: string[];
  /** Moves that cannot be run, in sentences. */
  readonly refused: string[];
}
