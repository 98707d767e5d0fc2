import { Type } from 'typebox';
import { KnownText } from '#src/lib/validation/known-values.ts';
import { marketSymbols } from './symbols.ts';

const title = 'MarketSymbol';

/** An underlying of this release. */
export const MARKET_SYMBOL = Type.Enum([...marketSymbols], { title, type: 'string', description: 'Underlying' });

/** An underlying in an answer. */
export const SYMBOL = (description = 'Underlying') => KnownText(title, marketSymbols, description);
