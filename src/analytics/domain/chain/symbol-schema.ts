import { Type } from 'typebox';
import { marketSymbols } from './symbols.ts';

const text = { title: 'MarketSymbol', type: 'string', description: 'Underlying' } as const;

/** An underlying of this release. */
export const MARKET_SYMBOL = Type.Enum([...marketSymbols], text);

/** An underlying in an answer. Its type is text, as chains name theirs: what takes a chain in has refused all others. */
export const SYMBOL = (description: string = text.description) =>
  Type.Unsafe<string>(Type.Enum([...marketSymbols], { ...text, description }));
