import { Type } from 'typebox';
import { marketSymbols } from './symbols.ts';

/** An underlying of this release. */
export const MARKET_SYMBOL = Type.Enum([...marketSymbols], { type: 'string', description: 'Underlying' });
