import { invalidChain, type RawChain, type RawContract } from './raw-chain.ts';
import type { MarketSymbol } from './symbols.ts';

/** `YYYY-MM-DD HH:MM:SS`, naive UTC. */
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?Z?$/;

/**
 * Reads Cboe's delayed-quotes document (parsed JSON) of one underlying. A row of the wrong type keeps NaN in its
 * fields, so that cleaning drops and counts it; a document of the wrong shape is refused.
 *
 * @throws AppError `invalid_chain` naming the field and its value.
 */
export function readCboeJson(document: unknown, symbol: MarketSymbol): RawChain {
  const root = record(document, 'document');
  const data = record(root['data'], 'data');
  // Indices are written ^SPX or _SPX in some versions of the document.
  const named = data['symbol'] ?? root['symbol'];
  if (typeof named !== 'string' || named.replace(/^[\^_]/, '') !== symbol)
    throw invalidChain('data.symbol', symbol, named);
  const spot = data['current_price'];
  if (typeof spot !== 'number' || !(spot > 0 && spot < Infinity)) {
    throw invalidChain('data.current_price', 'a positive number', spot);
  }
  const options = data['options'];
  if (!Array.isArray(options)) throw invalidChain('data.options', 'an array of contracts', options);
  return {
    symbol,
    name: typeof root['name'] === 'string' ? root['name'].slice(0, 80) : symbol,
    source: 'cboe_json',
    asOf: readTimestamp(root['timestamp']),
    spot,
    contracts: options.map(readContract),
  };
}

function readTimestamp(value: unknown): number {
  const parts = typeof value === 'string' ? TIMESTAMP.exec(value) : null;
  const instant = parts ? Date.parse(`${parts[1]}T${parts[2]}Z`) : Number.NaN;
  // Date.parse takes 31 February for 3 March
  const exists = Number.isFinite(instant) && new Date(instant).toISOString().startsWith(parts?.[1] ?? '');
  if (!exists) throw invalidChain('timestamp', 'YYYY-MM-DD HH:MM:SS (UTC)', value);
  return instant;
}

function readContract(row: unknown): RawContract {
  if (!isRecord(row)) return missing;
  const { option, bid, ask, iv, open_interest: openInterest, volume } = row;
  return {
    symbol: typeof option === 'string' ? option : '',
    bid: typeof bid === 'number' ? bid : Number.NaN,
    ask: typeof ask === 'number' ? ask : Number.NaN,
    iv: typeof iv === 'number' ? iv : Number.NaN,
    openInterest: typeof openInterest === 'number' ? openInterest : Number.NaN,
    volume: typeof volume === 'number' ? volume : Number.NaN,
    stated: nothingStated,
  };
}

/** The document names strike and day in the symbol alone. */
const nothingStated = { strike: null, date: null };

const missing: RawContract = {
  symbol: '',
  bid: Number.NaN,
  ask: Number.NaN,
  iv: Number.NaN,
  openInterest: Number.NaN,
  volume: Number.NaN,
  stated: nothingStated,
};

function record(value: unknown, field: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalidChain(field, 'an object', value);
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
