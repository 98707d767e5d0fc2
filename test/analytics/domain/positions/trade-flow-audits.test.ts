import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { openFlow } from '#src/analytics/domain/positions/flow-days.ts';
import {
  auditBound,
  auditCausality,
  auditFlags,
  auditOpenInterest,
  auditZeroSum,
  type Fill,
  netInventory,
} from '#test/analytics/trade-flow-audits.ts';
import { opening, participants, tradeMarkets } from '#test/analytics/trade-market.ts';

const fill: Fill = {
  trade: 't1',
  time: opening,
  contract: 'SPXW261120C06000000',
  participant: 'customer',
  side: 'buy',
  effect: 'open',
  size: 5,
};
const sold: Fill = { ...fill, participant: 'market_maker', side: 'sell' };

test('net inventory does not depend on open and close flags; one that counts opens alone does', () => {
  fc.assert(
    fc.property(tradeMarkets, ({ fills, holdings }) => {
      for (const participant of participants) {
        expect(auditFlags(fills, (given) => netInventory(given, participant)).ok).toBe(true);
        for (const [contract, net] of netInventory(fills, participant)) {
          expect(net).toBe(holdings.get(`${participant} ${contract}`));
        }
      }
    }),
  );
  const opens = (fills: readonly Fill[]) =>
    netInventory(
      fills.filter(({ effect }) => effect === 'open'),
      'customer',
    );
  expect(auditFlags([fill], opens)).toMatchObject({
    ok: false,
    breaches: ['SPXW261120C06000000: 5 with the flags as given, 0 with all turned round.'],
  });
});

test('participants’ nets sum to zero in every contract; a lost side is found', () => {
  fc.assert(
    fc.property(tradeMarkets, ({ fills }) => {
      expect(auditZeroSum(fills)).toEqual({ ok: true, breaches: [] });
    }),
  );
  expect(auditZeroSum([fill, { ...sold, size: 4 }]).breaches).toEqual([
    "SPXW261120C06000000: participants' nets sum to 1, expected 0.",
  ]);
});

test('open interest changes by half of what opened less half of what closed; a wrong flag is found', () => {
  fc.assert(
    fc.property(tradeMarkets, ({ fills, openInterest }) => {
      expect(auditOpenInterest(fills, new Map(), openInterest).ok).toBe(true);
    }),
  );
  const after = new Map([[fill.contract, 5]]);
  expect(auditOpenInterest([fill, sold], new Map(), after).ok).toBe(true);
  expect(auditOpenInterest([fill, { ...sold, effect: 'close' }], new Map(), after).ok).toBe(false);
});

test('no trader holds more than exists; a position beyond the open interest is found', () => {
  fc.assert(
    fc.property(tradeMarkets, ({ fills, openInterest }) => {
      for (const participant of participants) {
        expect(auditBound(netInventory(fills, participant), openInterest).ok).toBe(true);
      }
    }),
  );
  expect(auditBound(new Map([['X', -6]]), new Map([['X', 5]])).ok).toBe(false);
  expect(auditBound(new Map([['X', Number.NaN]]), new Map([['X', 5]])).ok).toBe(false);
});

test('a record stamped after the instant is found, and the inventory of an instant does not know it', () => {
  expect(auditCausality([{ time: 5 }, { time: 7 }], 7).ok).toBe(true);
  expect(auditCausality([{ time: 5 }, { time: 8 }], 7).breaches).toEqual(['record 1: stamped 8, after 7.']);
  fc.assert(
    fc.property(tradeMarkets, fc.integer({ min: -1, max: 61 }), ({ tape }, seconds) => {
      const asOf = opening + seconds * 1000;
      const state = openFlow({ date: '2026-11-18', at: opening, openInterest: new Map() });
      const known = tape.filter(({ time }) => time <= asOf);
      expect(auditCausality(known, asOf).ok).toBe(true);
      expect(applyTrades(state, tape, { asOf })).toEqual(applyTrades(state, known, { asOf: Infinity }));
    }),
  );
});
