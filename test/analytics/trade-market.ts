import fc from 'fast-check';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import type { Fill } from '#test/analytics/trade-flow-audits.ts';

export const contracts = ['SPXW261120C06000000', 'SPXW261120P05900000', 'SPX261218P05500000'] as const;
export const participants = ['customer', 'firm', 'market_maker'] as const;

/** Epoch milliseconds of the first trade; they follow each other by a second. */
export const opening = Date.parse('2026-11-18T14:30:00Z');

/** A market without an error: who holds what, what each trade did to it, and the tape of it. */
export interface TradeMarket {
  readonly fills: readonly Fill[];
  /** True signed contracts by participant and contract. */
  readonly holdings: ReadonlyMap<string, number>;
  /** Contracts that exist: half of the sum of absolute holdings. */
  readonly openInterest: ReadonlyMap<string, number>;
  /** The tape of the trades between customers and market makers, made at the bid or at the ask. */
  readonly tape: readonly OptionTrade[];
  /** What they have left the market makers with. */
  readonly dealers: ReadonlyMap<string, number>;
}

const deals = fc.array(
  fc.record({
    contract: fc.constantFrom(...contracts),
    buyer: fc.constantFrom(...participants),
    seller: fc.constantFrom(...participants),
    size: fc.integer({ min: 1, max: 500 }),
  }),
  { maxLength: 60 },
);

/** Each side closes what it can of what it holds and opens the rest, as accounts that net do. */
export const tradeMarkets: fc.Arbitrary<TradeMarket> = deals.map((list) => {
  const holdings = new Map<string, number>();
  const dealers = new Map<string, number>();
  const fills: Fill[] = [];
  const tape: OptionTrade[] = [];
  for (const [i, { contract, buyer, seller, size }] of list.entries()) {
    if (buyer === seller) continue;
    const trade = { trade: `t${i}`, time: opening + i * 1000, contract };
    for (const [participant, side] of [
      [buyer, 'buy'],
      [seller, 'sell'],
    ] as const) {
      const key = `${participant} ${contract}`;
      const held = holdings.get(key) ?? 0;
      const sign = side === 'buy' ? 1 : -1;
      const closes = held * sign < 0 ? Math.min(size, Math.abs(held)) : 0;
      if (closes > 0) fills.push({ ...trade, participant, side, effect: 'close', size: closes });
      if (size > closes) fills.push({ ...trade, participant, side, effect: 'open', size: size - closes });
      holdings.set(key, held + sign * size);
    }
    if (![buyer, seller].every((who) => who !== 'firm')) continue;
    const bought = seller === 'market_maker';
    const price = bought ? 10.2 : 10;
    const flags = { complex: false, auction: false, cross: false };
    tape.push({ id: trade.trade, time: trade.time, contract, price, size, bid: 10, ask: 10.2, ...flags });
    dealers.set(contract, (dealers.get(contract) ?? 0) + (bought ? -size : size));
  }
  const openInterest = new Map(
    contracts.map((contract) => {
      const gross = participants.reduce((sum, who) => sum + Math.abs(holdings.get(`${who} ${contract}`) ?? 0), 0);
      return [contract, gross / 2];
    }),
  );
  return { fills, holdings, openInterest, tape, dealers };
});
