import { Link } from 'wouter';
import { type MarketSymbol, symbolNames, symbols } from '#console/pages/market/parts/symbols.ts';
import classes from './symbol-links.module.css';

/** The ways to every symbol; what is looked at stays the same. */
export function SymbolLinks({ current }: { readonly current?: MarketSymbol }) {
  return (
    <nav className={classes['links']} aria-label="Symbols">
      {symbolNames.map((symbol) => (
        <Link
          key={symbol}
          href={`/market/${symbol}${current ? location.search : ''}`}
          className={classes['link']}
          title={symbols[symbol]}
          aria-current={symbol === current ? 'page' : undefined}
        >
          {symbol}
        </Link>
      ))}
    </nav>
  );
}
