import { volWords } from '#src/lib/words/shock-words.ts';
import { type Shock as AnyShock, readShocks as readAll } from '#src/lib/words/shocks.ts';
import { textOf, tokenize } from '#src/lib/words/tokens.ts';

/** Shocks that happen together; the fields of a stress scenario. */
export type Shock = Pick<AnyShock, 'spot_shock_pct' | 'vol_shock_pct' | 'days'>;

export interface ShocksRead {
  readonly shocks: readonly Shock[];
  /** What was assumed, or asked and cannot be had. */
  readonly notes: readonly string[];
  /** The text without the clauses about volatility, which name no metric. */
  readonly text: string;
}

const inPoints = ['spot_points', 'spot_level', 'vol_points'] as const;

/**
 * The shocks a folded question names, such as "spx drops 3% and vol rises 10" or "-5% spot, +20% vol after 2 days", as
 * {@link readAll} reads them. What looks like a shock and cannot be run is named in the notes.
 */
export function readShocks(folded: string): ShocksRead {
  const tokens = tokenize(folded);
  const { groups, used, unread, notes } = readAll(tokens);
  const scenarios = groups.flatMap((group) => group.scenarios);
  const shocks = scenarios.filter((shock) => inPoints.every((field) => shock[field] === undefined)) as Shock[];
  const left = scenarios.length > shocks.length ? ['a shock in points cannot be run here; give it in percent'] : [];
  const said = unread.map(
    ({ from, to, why }) => `“${textOf(folded, tokens.slice(from, to + 1))}” was left out: ${why}`,
  );
  return { shocks, notes: [...notes, ...left, ...said], text: withoutVol(folded, tokens, used) };
}

/** The words of volatility that a shock was read from are blanked, with what stands beside them. */
function withoutVol(folded: string, tokens: ReturnType<typeof tokenize>, used: ReadonlySet<number>): string {
  let text = folded;
  for (const [place, { low, from, to }] of tokens.entries())
    if (used.has(place) && volWords.has(low)) text = text.slice(0, from) + ' '.repeat(to - from) + text.slice(to);
  return text;
}
