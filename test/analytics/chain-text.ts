import { generateChainCsv } from '#test/analytics/generate-chain.ts';

/** A Friday at 13:00 in New York. */
export const noon = Date.parse('2026-11-20T18:00:00Z');

export const csv = generateChainCsv({ symbol: 'SPX', at: noon });

/** The generated chain with a contract row changed: `edit` gets its columns. */
export function editRow(row: number, edit: (columns: string[]) => void): string {
  const lines = csv.split('\n');
  const columns = lines[3 + row]!.split(',');
  edit(columns);
  lines[3 + row] = columns.join(',');
  return lines.join('\n');
}

/** A small delayed-quotes document: three strikes, call and put, one expiry. */
export function quotesDocument() {
  const options = [5900, 6000, 6100].flatMap((strike) =>
    ['C', 'P'].map((side) => ({
      option: `SPXW261218${side}0${strike}000`,
      bid: side === 'C' ? 6105 - strike : strike - 5895,
      ask: side === 'C' ? 6106 - strike : strike - 5894,
      iv: 0.15,
      open_interest: 100,
      volume: 5,
    })),
  );
  return { timestamp: '2026-11-20 18:00:00', symbol: '_SPX', data: { symbol: '^SPX', current_price: 6000, options } };
}
