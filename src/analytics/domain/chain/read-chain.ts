import { invalidChain, type RawChain } from './raw-chain.ts';
import { readCboeCsv } from './read-cboe-csv.ts';
import { readCboeJson } from './read-cboe-json.ts';
import type { MarketSymbol } from './symbols.ts';

/**
 * Reads a chain in either of Cboe's forms, told apart by the first character: `{` opens the delayed-quotes JSON.
 *
 * @throws AppError `invalid_chain` naming the field and its value.
 */
export function readChain(text: string, symbol: MarketSymbol): RawChain {
  return /^\s*[[{]/.test(text) ? readCboeJson(parseJson(text), symbol) : readCboeCsv(text, symbol);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidChain('document', 'JSON', text);
  }
}
