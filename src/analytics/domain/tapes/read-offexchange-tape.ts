import { type RecordFields, type RecordLimits, readRecords } from './read-records.ts';
import { fieldInstant, fieldNumber, fieldText } from './record-fields.ts';

const MAX_PRICE = 1e7;

/**
 * Reads a list of an index's constituents, CSV or NDJSON (docs/tapes.md): dollars per share by ticker. Rows without a ticker
 * or a price above zero are left out; of a ticker that occurs twice the last row counts.
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

/** A trade in a security reported by a FINRA facility rather than an exchange (tape code D). */
export interface OffExchangePrint {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Dollars per share. */
  readonly price: number;
  /** Shares, fractions allowed. */
  readonly size: number;
}

/** Why a record is left out. */
type PrintDropReason =
  | 'malformed'
  | 'bad_id'
  | 'bad_time'
  | 'after_as_of'
  | 'other_symbol'
  | 'on_exchange'
  | 'bad_price'
  | 'bad_size'
  | 'duplicate';

interface OffExchangeTape {
  /** In order of time. */
  readonly prints: readonly OffExchangePrint[];
  readonly records: number;
  readonly dropped: Readonly<Partial<Record<PrintDropReason, number>>>;
}

interface PrintOptions {
  /** Ticker whose prints are wanted, e.g. SPY. */
  readonly symbol: string;
  /** Epoch milliseconds: a record stamped later is not known yet and is left out. */
  readonly asOf: number;
  readonly limits?: RecordLimits;
}

const COLUMNS = ['id', 'time', 'symbol', 'price', 'size', 'venue'] as const;
const MAX_SHARES = 1e10;

/**
 * Reads a tape of prints, CSV or NDJSON (docs/tapes.md), and keeps those of one ticker made off exchange. The rest, and
 * what is bad, is dropped and counted.
 *
 * @throws AppError `payload_too_large` or `invalid_payload` where the whole cannot be read.
 */
export function readOffExchangeTape(text: string, { symbol, asOf, limits }: PrintOptions): OffExchangeTape {
  const dropped: Partial<Record<PrintDropReason, number>> = {};
  const prints: OffExchangePrint[] = [];
  const ids = new Set<string>();
  let records = 0;
  for (const fields of readRecords(text, COLUMNS, limits)) {
    records++;
    let print = fields === null ? 'malformed' : readPrint(fields, symbol);
    if (typeof print !== 'string' && print.time > asOf) print = 'after_as_of';
    if (typeof print !== 'string' && ids.has(print.id)) print = 'duplicate';
    if (typeof print === 'string') {
      dropped[print] = (dropped[print] ?? 0) + 1;
      continue;
    }
    ids.add(print.id);
    prints.push(print);
  }
  return { prints: prints.toSorted((a, b) => a.time - b.time), records, dropped };
}

function readPrint(fields: RecordFields, symbol: string): OffExchangePrint | PrintDropReason {
  const id = fieldText(fields['id'], 80);
  if (id === null) return 'bad_id';
  if (fields['symbol'] !== symbol) return 'other_symbol';
  if (fields['venue'] !== 'D') return 'on_exchange';
  const time = fieldInstant(fields['time']);
  if (Number.isNaN(time)) return 'bad_time';
  const price = fieldNumber(fields['price']);
  if (!(price > 0 && price <= MAX_PRICE)) return 'bad_price';
  const size = fieldNumber(fields['size']);
  if (!(size > 0 && size <= MAX_SHARES)) return 'bad_size';
  return { id, time, price, size };
}
