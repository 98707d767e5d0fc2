import Type from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import { isMarketSymbol, type MarketSymbol, marketSymbols } from './domain/symbols.ts';

/** A symbol in a path, query or body; {@link marketSymbol} checks it, so that another one is a 404 and not a 400. */
export const SymbolText = Type.String({
  minLength: 1,
  maxLength: 10,
  description: `Underlying: ${marketSymbols.join(', ')}`,
  examples: ['SPX'],
});

/**
 * The symbol, in capitals.
 *
 * @throws AppError `unknown_symbol`, which lists those there are.
 */
export function marketSymbol(text: string): MarketSymbol {
  const symbol = text.toUpperCase();
  if (isMarketSymbol(symbol)) return symbol;
  throw new AppError(
    'unknown_symbol',
    `expected a symbol of ${marketSymbols.join(', ')}, got ${JSON.stringify(text)}.`,
    { symbol: text, symbols: marketSymbols },
  );
}
