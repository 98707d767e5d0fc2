import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTradeTape } from '#src/analytics/domain/tapes/read-trade-tape.ts';

const asOf = Date.parse('2026-11-20T21:00:00Z');
const heading = 'id,time,contract,price,size,bid,ask,flags';
const good = 'a1,2026-11-20T14:30:00.125Z,SPXW261120C06000000,10.2,5,10,10.2,';
const csv = (...rows: string[]) => [heading, ...rows].join('\n');
const read = (text: string) => readTradeTape(text, { symbol: 'SPX', asOf });
const changed = (column: number, value: string) => good.split(',').with(column, value).join(',');

const trade = {
  id: 'a1',
  time: Date.parse('2026-11-20T14:30:00.125Z'),
  contract: 'SPXW261120C06000000',
  price: 10.2,
  size: 5,
  bid: 10,
  ask: 10.2,
  complex: false,
  auction: false,
  cross: false,
};

test('a row of CSV and a line of NDJSON give the same trade', () => {
  expect(read(csv(good))).toEqual({ trades: [trade], records: 1, dropped: {}, unquoted: 0 });
  const line = { ...trade, contract: 'SPXW  261120C06000000', flags: [], venue: 'C' };
  const { complex: _complex, auction: _auction, cross: _cross, ...fields } = line;
  expect(read(JSON.stringify(fields))).toEqual({ trades: [trade], records: 1, dropped: {}, unquoted: 0 });
});

test('columns may stand in any order, with others beside them, line ends of both kinds and blank lines', () => {
  const text = '\uFEFFVenue,flags,ask,bid,size,price,contract,time,id\r\n\r\nC,complex|CROSS,,,5,10.2,';
  const { trades, unquoted } = read(`${text}SPX261218P05500000,${trade.time},7\r\n`);
  const more = { id: '7', contract: 'SPX261218P05500000', bid: null, ask: null, complex: true, cross: true };
  expect(trades).toEqual([{ ...trade, ...more }]);
  expect(unquoted).toBe(1);
});

test.each([
  ['malformed', `${good},more`],
  ['malformed', good.replace('a1', '"a1"')],
  ['malformed', `${'x'.repeat(2001)}${good}`],
  ['bad_id', changed(0, '')],
  ['bad_time', changed(1, '2026-11-31T14:30:00Z')],
  ['bad_time', changed(1, '2026-11-20T14:30:00')],
  ['bad_time', changed(1, '1795185000')],
  ['after_as_of', changed(1, '2026-11-20T21:00:00.001Z')],
  ['bad_contract', changed(2, 'SPXW261320C06000000')],
  ['foreign_root', changed(2, 'SPY261120C00600000')],
  ['bad_price', changed(3, '-1')],
  ['bad_price', changed(3, '')],
  ['bad_price', changed(3, '0x10')],
  ['bad_size', changed(4, '0')],
  ['bad_size', changed(4, '1.5')],
  ['bad_quote', changed(5, 'nine')],
  ['unknown_flag', changed(7, 'halted')],
  ['duplicate', good],
])('a row is dropped as %s: %s', (reason, row) => {
  const { trades, dropped, records } = read(csv(good, row));
  expect(trades).toEqual([trade]);
  expect(dropped).toEqual({ [reason]: 1 });
  expect(records).toBe(2);
});

test('a crossed quote is no quote, and a trade under a name that was seen before is dropped', () => {
  expect(read(csv(changed(5, '10.3')))).toMatchObject({ trades: [{ bid: null, ask: null }], unquoted: 1 });
  const again = readTradeTape(csv(good), { symbol: 'SPX', asOf, seen: new Set(['a1']) });
  expect(again).toMatchObject({ trades: [], dropped: { duplicate: 1 } });
});

test('records in any order come out by time', () => {
  const rows = [3, 1, 2].map((second) => `t${second},2026-11-20T14:30:0${second}Z,SPXW261120C06000000,1,1,1,2,`);
  expect(read(csv(...rows)).trades.map(({ id }) => id)).toEqual(['t1', 't2', 't3']);
});

test('error: a heading without a column, and a tape past its limits', () => {
  expect(() => read('id,time,price\n1,2,3')).toThrow(/Expected a heading with the columns id, time, contract/);
  const limits = { characters: 1000, rows: 2, line: 200 };
  const rows = csv(good, good, good);
  expect(() => readTradeTape(rows, { symbol: 'SPX', asOf, limits })).toThrow('Expected at most 2 rows, got 3.');
  const long = { symbol: 'SPX', asOf, limits: { ...limits, characters: 10 } } as const;
  expect(() => readTradeTape(rows, long)).toThrow('Expected at most 10 characters');
  expect(read('')).toEqual({ trades: [], records: 0, dropped: {}, unquoted: 0 });
});

test('whatever lines follow, each is a trade that is whole and known, or counted', () => {
  const cell = fc.oneof(fc.constantFrom(...good.split(',')), fc.string({ maxLength: 8 }), fc.integer().map(String));
  const line = fc.oneof(
    fc.array(cell, { minLength: 8, maxLength: 8 }).map((cells) => cells.join(',')),
    fc.json({ maxDepth: 1 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.boolean(), (lines, json) => {
      const text = json ? ['{}', ...lines].join('\n') : csv(...lines);
      const { trades, records, dropped } = read(text);
      const left = Object.values(dropped).reduce((sum, count) => sum + count, 0);
      expect(trades.length + left).toBe(records);
      for (const { time, price, size } of trades) {
        expect(time).toBeLessThanOrEqual(asOf);
        expect(Number.isFinite(price) && Number.isInteger(size)).toBe(true);
      }
    }),
  );
});
