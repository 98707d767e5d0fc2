import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readShortVolume } from '#src/analytics/domain/tapes/finra-short-volume.ts';
import { readOffExchangeTape } from '#src/analytics/domain/tapes/read-offexchange-tape.ts';
import { tapeLimits } from '#src/analytics/domain/tapes/read-records.ts';
import { readTradeTape } from '#src/analytics/domain/tapes/read-trade-tape.ts';

const page = readFileSync(new URL('../../../../docs/tapes.md', import.meta.url), 'utf8');
const examples = Array.from(page.matchAll(/```(csv|ndjson|text)\n([\s\S]*?)```/g), ([, kind, text]) => ({
  kind,
  text,
}));
const asOf = Date.parse('2026-11-21T00:00:00Z');

test('every example of the page is read without a row dropped', () => {
  expect(examples.map(({ kind }) => kind)).toEqual(['csv', 'ndjson', 'csv', 'ndjson', 'text']);
  const [trades, tradeLines, prints, printLines, daily] = examples.map(({ text }) => text!);
  const [first, second] = [trades, tradeLines].map((text) => readTradeTape(text!, { symbol: 'SPX', asOf }));
  expect([first!.dropped, first!.trades.length, first!.unquoted]).toEqual([{}, 3, 1]);
  expect([second!.dropped, second!.trades.length]).toEqual([{}, 2]);
  expect(second!.trades).toEqual(first!.trades.slice(0, 2));
  for (const text of [prints, printLines]) {
    const tape = readOffExchangeTape(text!, { symbol: 'SPY', asOf });
    expect(tape.dropped).toEqual({});
    expect(tape.prints.length).toBe(tape.records);
  }
  expect(readShortVolume(daily!)).toMatchObject({ complete: true, dropped: {} });
});

test('the page names every limit', () => {
  expect(page).toContain(`${tapeLimits.characters / 1024 / 1024} Mi characters`);
  expect(page).toContain(`${tapeLimits.rows.toLocaleString('en')} records`);
  expect(page).toContain(`${tapeLimits.line.toLocaleString('en')} characters a line`);
});
