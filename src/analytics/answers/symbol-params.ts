import Type from 'typebox';
import { isMarketSymbol, type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { AppError } from '#src/lib/errors.ts';
import { knownValues } from '#src/lib/validation/known-values.ts';

/** A symbol in a path, query or body; {@link marketSymbol} checks it, so that another one is a 404 and not a 400. */
export const SymbolText = Type.String({
  minLength: 1,
  maxLength: 10,
  title: 'MarketSymbol',
  description: `Underlying: ${marketSymbols.join(', ')}`,
  examples: ['SPX'],
  [knownValues]: marketSymbols,
});

/** Underlyings in a body, each once. {@link distinctSymbols} checks them. */
export const SymbolList = (description: string) =>
  Type.Array(SymbolText, { minItems: 1, maxItems: marketSymbols.length, uniqueItems: true, description });

/**
 * The symbols of a body, in capitals.
 *
 * @throws AppError `unknown_symbol`, or `invalid_request` where one comes twice, be it in another case.
 */
export function distinctSymbols(texts: readonly string[]): MarketSymbol[] {
  const symbols = texts.map(marketSymbol);
  if (new Set(symbols).size === symbols.length) return symbols;
  const message = `body.symbols: expected each symbol once, got ${JSON.stringify(texts)}.`;
  throw new AppError('invalid_request', message, { errors: [{ field: 'body.symbols', message, value: texts }] });
}

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
