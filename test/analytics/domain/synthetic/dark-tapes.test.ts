import { expect, test } from 'vitest';
import { readShortVolume } from '#src/analytics/domain/tapes/finra-short-volume.ts';
import { readOffExchangeTape } from '#src/analytics/domain/tapes/read-offexchange-tape.ts';

const heading = 'Date|Symbol|ShortVolume|ShortExemptVolume|TotalVolume|Market';
const spy = '20260925|SPY|6373542.318262|6303|12170952.290403|B,Q,N';
const file = (...lines: string[]) => `${[heading, ...lines].join('\r\n')}\r\n`;

test('a daily file: decimals, facilities, the trailer, and from when it may be used', () => {
  const found = readShortVolume(file(spy, '20260925|BRK/B|10|0|20|Q', '2'));
  expect(found.rows.get('SPY')).toEqual({
    symbol: 'SPY',
    shortVolume: 6373542.318262,
    shortExemptVolume: 6303,
    totalVolume: 12170952.290403,
    markets: ['B', 'Q', 'N'],
  });
  expect(found.rows.get('BRK/B')?.totalVolume).toBe(20);
  expect(found).toMatchObject({ date: '2026-09-25', dropped: {}, complete: true });
  expect(found.knowledgeTime).toBe(Date.parse('2026-09-25T22:00:00Z'));
});

test('a trailer that counts otherwise, or none, says that the file may be cut short', () => {
  expect(readShortVolume(file(spy, '3')).complete).toBe(false);
  expect(readShortVolume(file(spy)).complete).toBeNull();
});

test.each([
  ['malformed', '20260925|SPX|1|0|2'],
  ['other_date', '20260924|SPX|1|0|2|Q'],
  ['bad_symbol', '20260925||1|0|2|Q'],
  ['bad_volume', '20260925|SPX|3|0|2|Q'],
  ['bad_volume', '20260925|SPX|1|2|2|Q'],
  ['bad_volume', '20260925|SPX|-1|0|2|Q'],
  ['bad_volume', '20260925|SPX|x|0|2|Q'],
  ['duplicate', spy],
])('a row is dropped as %s: %s', (reason, row) => {
  const { rows, dropped } = readShortVolume(file(spy, row));
  expect(rows.size).toBe(1);
  expect(dropped).toEqual({ [reason]: 1 });
});

test('error: another heading, no day, a file past its bounds', () => {
  expect(() => readShortVolume('Date|Symbol\n')).toThrow(/expected the heading/);
  expect(() => readShortVolume(file())).toThrow(/expected a first column a day/);
  expect(() => readShortVolume(file('20260231|SPY|1|0|2|Q'))).toThrow(/expected a first column a day/);
  expect(() => readShortVolume('\n'.repeat(100_001))).toThrow('expected at most 100000 lines');
});

const asOf = Date.parse('2026-11-20T21:00:00Z');
const read = (text: string) => readOffExchangeTape(text, { symbol: 'SPY', asOf });
const columns = 'id,time,symbol,price,size,venue';
const good = 'd1,2026-11-20T15:00:00Z,SPY,600.05,1200.5,D';
const print = { id: 'd1', time: Date.parse('2026-11-20T15:00:00Z'), price: 600.05, size: 1200.5 };

test('prints of the ticker made off exchange are kept, in either form', () => {
  expect(read(`${columns}\n${good}`)).toEqual({ prints: [print], records: 1, dropped: {} });
  const line = JSON.stringify({ ...print, symbol: 'SPY', venue: 'D' });
  expect(read(line)).toEqual({ prints: [print], records: 1, dropped: {} });
});

test.each([
  ['malformed', 'd2'],
  ['bad_id', ',2026-11-20T15:00:00Z,SPY,600,1,D'],
  ['bad_time', 'd2,yesterday,SPY,600,1,D'],
  ['after_as_of', 'd2,2026-11-20T21:00:01Z,SPY,600,1,D'],
  ['other_symbol', 'd2,2026-11-20T15:00:00Z,QQQ,600,1,D'],
  ['on_exchange', 'd2,2026-11-20T15:00:00Z,SPY,600,1,P'],
  ['bad_price', 'd2,2026-11-20T15:00:00Z,SPY,0,1,D'],
  ['bad_size', 'd2,2026-11-20T15:00:00Z,SPY,600,-1,D'],
  ['duplicate', good],
])('a print is dropped as %s: %s', (reason, row) => {
  const { prints, dropped } = read([columns, good, row].join('\n'));
  expect(prints).toEqual([print]);
  expect(dropped).toEqual({ [reason]: 1 });
});
