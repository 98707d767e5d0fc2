import { expect, test } from 'vitest';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readCboeJson } from '#src/analytics/domain/chain/read-cboe-json.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { csv, editRow, noon, quotesDocument } from '#test/analytics/chain-text.ts';

const invalid = (field: string) =>
  expect.objectContaining({ code: 'invalid_chain', details: expect.objectContaining({ field }) });

/** What reading and cleaning the text throws; the chain if nothing. */
function attempt(text: string): unknown {
  try {
    return cleanChain(readChain(text, 'SPX'));
  } catch (error) {
    return error;
  }
}

test('the CSV gives name, spot, its own timestamp and two contracts a row', () => {
  const raw = readChain(csv, 'SPX');
  expect(raw).toMatchObject({ symbol: 'SPX', name: 'SPX synthetic', source: 'cboe_csv', asOf: noon });
  expect(raw.contracts.length).toBe(2 * (csv.trim().split('\n').length - 3));
});

test('both wordings of the date are read, with the offset they name', () => {
  const dated = (text: string) => readChain(csv.replace(/Date: [^"]*/, `Date: ${text}`), 'SPX').asOf;
  expect(new Date(dated('September 14, 2023 at 4:31 PM EDT')).toISOString()).toBe('2023-09-14T20:31:00.000Z');
  expect(new Date(dated('February 5 2022, 8:09 PM EST')).toISOString()).toBe('2022-02-06T01:09:00.000Z');
  expect(new Date(dated('March 1, 2026 at 12:05 AM EST')).toISOString()).toBe('2026-03-01T05:05:00.000Z');
});

test('numbers with thousands separators in quotes are read', () => {
  const raw = readChain(
    editRow(10, (columns) => {
      columns[4] = '"1,234.5"';
      columns[10] = '"12,345"';
    }),
    'SPX',
  );
  expect(raw.contracts[20]).toMatchObject({ bid: 1234.5, openInterest: 12345 });
});

test.each([
  ['a file cut within a row', csv.slice(0, csv.length - 70), /^row \d+$/],
  ['a file cut in the heading', csv.slice(0, 130), /^(heading|lines)$/],
  ['an empty text', '', /^lines$/],
  ['a missing column', csv.replaceAll('Open Interest', 'Interest'), /^heading$/],
  ['no date', csv.replace(/Date: [^"]*/, 'Date: yesterday'), /^Date$/],
  ['a day without a month', csv.replace(/Date: [^"]*/, 'Date: Smarch 3, 2026 at 1:00 PM EST'), /^Date$/],
  ['no last price', csv.replace(/Last: [\d.]+/, 'Last: n/a'), /^Last$/],
  ['an endless last price', csv.replace(/Last: [\d.]+/, 'Last: Infinity'), /^Last$/],
  ['a heading without rows', `${csv.split('\n').slice(0, 3).join('\n')}\n`, /^contracts$/],
  ['the chain of another underlying', csv.replaceAll('SPX', 'NDX'), /^symbol$/],
  ['a quote left open', `${csv}"`, /^(file|row \d+)$/],
  ['prose', 'Dear sir, please find attached', /^lines$/],
])('%s is refused, naming the field', (_, text, field) => {
  expect(attempt(text)).toMatchObject({ code: 'invalid_chain', details: { field: expect.stringMatching(field) } });
});

test('no two-sided quote in the whole chain is refused', () => {
  const lines = csv.split('\n').map((line, i) =>
    i < 3 || line === ''
      ? line
      : line
          .split(',')
          .map((cell, c) => (c === 4 || c === 15 ? '0' : cell))
          .join(','),
  );
  expect(attempt(lines.join('\n'))).toEqual(invalid('quotes'));
});

test('the JSON document gives the same kind of chain, its timestamp taken as UTC', () => {
  const raw = readChain(JSON.stringify(quotesDocument()), 'SPX');
  expect(raw).toMatchObject({ source: 'cboe_json', asOf: noon, spot: 6000 });
  expect(cleanChain(raw)).toMatchObject({ contracts: 6, dropped: {}, asOf: '2026-11-20T18:00:00.000Z' });
});

const document = quotesDocument();
test.each([
  ['an array', [], 'document'],
  ['null', null, 'document'],
  ['no data', { ...document, data: undefined }, 'data'],
  ['another symbol', { ...document, data: { ...document.data, symbol: '^NDX' } }, 'data.symbol'],
  ['no symbol', { timestamp: document.timestamp, data: { options: [] } }, 'data.symbol'],
  ['a spot in words', { ...document, data: { ...document.data, current_price: '6000' } }, 'data.current_price'],
  ['a spot of zero', { ...document, data: { ...document.data, current_price: 0 } }, 'data.current_price'],
  ['options that are an object', { ...document, data: { ...document.data, options: {} } }, 'data.options'],
  ['no options', { ...document, data: { ...document.data, options: [] } }, 'contracts'],
  ['options of the wrong type', { ...document, data: { ...document.data, options: [1, 'a', null] } }, 'contracts'],
  ['no timestamp', { ...document, timestamp: undefined }, 'timestamp'],
  ['a timestamp that is no time', { ...document, timestamp: '2026-13-45 99:00:00' }, 'timestamp'],
])('%s is refused, naming the field', (_, value, field) => {
  expect(() => cleanChain(readCboeJson(value, 'SPX'))).toThrow(invalid(field));
});

test('text that starts like JSON and is none is refused', () => {
  expect(attempt('{"data": ')).toEqual(invalid('document'));
});
