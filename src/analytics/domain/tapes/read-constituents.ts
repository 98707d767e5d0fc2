import { readRecords } from './read-records.ts';
import { fieldNumber, fieldText } from './record-fields.ts';

const MAX_PRICE = 1e7;

/**
 * Reads a list of an index's constituents, CSV or NDJSON (docs/tapes.md): dollars per share by ticker. Rows without a ticker
 * or a price above zero are left out; of a ticker that stands twice the last row counts.
 *
 * @throws AppError `payload_too_large` or `invalid_payload` where the whole cannot be read.
 */
export function readConstituents(text: string): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const fields of readRecords(text, ['symbol', 'price'])) {
    const ticker = fields && fieldText(fields['symbol'], 16);
    const price = fields ? fieldNumber(fields['price']) : Number.NaN;
    if (ticker && price > 0 && price <= MAX_PRICE) prices.set(ticker, price);
  }
  return prices;
}
