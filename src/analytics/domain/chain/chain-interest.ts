import type { Chain } from './chain.ts';
import { formatOsiSymbol } from './osi-symbol.ts';

/** Open interest of every contract of a chain, by OSI symbol. */
export function chainInterest({ columns, contracts, expiries }: Chain): Map<string, number> {
  const interest = new Map<string, number>();
  for (let i = 0; i < contracts; i++) {
    const { root, date } = expiries[columns.expiry[i]!]!;
    const contract = { root, date, isCall: columns.isCall[i] === 1, strike: columns.strike[i]! };
    interest.set(formatOsiSymbol(contract), columns.openInterest[i]!);
  }
  return interest;
}
