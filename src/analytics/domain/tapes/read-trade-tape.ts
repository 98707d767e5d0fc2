import { formatOsiSymbol, parseOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import { type MarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import type { OptionTrade } from './option-trade.ts';
import { type RecordFields, type RecordLimits, readRecords } from './read-records.ts';
import { fieldInstant, fieldNumber, fieldText, fieldWords, isBlank } from './record-fields.ts';

/** Why a record of a trade tape is left out. */
export type TradeDropReason =
  | 'malformed'
  | 'bad_id'
  | 'bad_time'
  | 'after_as_of'
  | 'bad_contract'
  | 'foreign_root'
  | 'bad_price'
  | 'bad_size'
  | 'bad_quote'
  | 'unknown_flag'
  | 'duplicate';

export interface TradeTape {
  /** In order of time; trades of one instant in the order of the file. */
  readonly trades: readonly OptionTrade[];
  /** Records of the text, those left out included. */
  readonly records: number;
  /** Records left out, by reason. */
  readonly dropped: Readonly<Partial<Record<TradeDropReason, number>>>;
  /** Trades kept whose quote is missing, one-sided or crossed: only the tick rule can sign them. */
  readonly unquoted: number;
}

export interface TapeOptions {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds: a record stamped later is not known yet and is left out. */
  readonly asOf: number;
  /** Names of trades that were taken from earlier tapes. */
  readonly seen?: ReadonlySet<string>;
  readonly limits?: RecordLimits;
}

const COLUMNS = ['id', 'time', 'contract', 'price', 'size', 'bid', 'ask', 'flags'] as const;
const FLAGS = new Set(['complex', 'auction', 'cross']);
const MAX_PRICE = 1e7;
const MAX_SIZE = 1e7;

/**
 * Reads an option trade tape, CSV or NDJSON (docs/tapes.md). Bad records are dropped and counted, records may come in
 * any order of time, and none stamped after `asOf` is taken. A contract is of one of the symbol's roots.
 *
 * @throws AppError `payload_too_large` or `invalid_payload` where the whole cannot be read.
 */
export function readTradeTape(text: string, { symbol, asOf, seen, limits }: TapeOptions): TradeTape {
  const dropped: Partial<Record<TradeDropReason, number>> = {};
  const trades: OptionTrade[] = [];
  const ids = new Set<string>();
  let [records, unquoted] = [0, 0];
  for (const fields of readRecords(text, COLUMNS, limits)) {
    records++;
    let trade = fields === null ? 'malformed' : readTrade(fields, symbol);
    if (typeof trade !== 'string' && trade.time > asOf) trade = 'after_as_of';
    if (typeof trade !== 'string' && (ids.has(trade.id) || seen?.has(trade.id))) trade = 'duplicate';
    if (typeof trade === 'string') {
      dropped[trade] = (dropped[trade] ?? 0) + 1;
      continue;
    }
    ids.add(trade.id);
    trades.push(trade);
    if (trade.bid === null || trade.ask === null) unquoted++;
  }
  return { trades: trades.toSorted((a, b) => a.time - b.time), records, dropped, unquoted };
}

function readTrade(fields: RecordFields, symbol: MarketSymbol): OptionTrade | TradeDropReason {
  const id = fieldText(fields['id'], 80);
  if (id === null) return 'bad_id';
  const time = fieldInstant(fields['time']);
  if (Number.isNaN(time)) return 'bad_time';
  const parsed = typeof fields['contract'] === 'string' ? parseOsiSymbol(fields['contract']) : null;
  if (parsed === null) return 'bad_contract';
  if (!(parsed.root in markets[symbol].roots)) return 'foreign_root';
  const price = fieldNumber(fields['price']);
  if (!(price >= 0 && price <= MAX_PRICE)) return 'bad_price';
  const size = fieldNumber(fields['size']);
  if (!(Number.isInteger(size) && size > 0 && size <= MAX_SIZE)) return 'bad_size';
  const quote = readQuote(fields);
  if (quote === null) return 'bad_quote';
  const flags = fieldWords(fields['flags']);
  // A condition we do not know may mean anything; signed like an ordinary trade it would bias the inventory.
  if (flags === null || flags.some((flag) => !FLAGS.has(flag))) return 'unknown_flag';
  return {
    id,
    time,
    contract: formatOsiSymbol(parsed),
    price,
    size,
    ...quote,
    complex: flags.includes('complex'),
    auction: flags.includes('auction'),
    cross: flags.includes('cross'),
  };
}

/** Bid and ask, null where one is left out or they are crossed; null as a whole where one is no price. */
function readQuote(fields: RecordFields): Pick<OptionTrade, 'bid' | 'ask'> | null {
  const [bid, ask] = [readSide(fields['bid']), readSide(fields['ask'])];
  if (Number.isNaN(bid) || Number.isNaN(ask)) return null;
  return bid !== null && ask !== null && bid <= ask ? { bid, ask } : { bid: null, ask: null };
}

function readSide(value: unknown): number | null {
  if (isBlank(value)) return null;
  const side = fieldNumber(value);
  return side >= 0 && side <= MAX_PRICE ? side : Number.NaN;
}
