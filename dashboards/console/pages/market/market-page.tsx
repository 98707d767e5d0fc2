import { useParams } from 'wouter';
import { symbolNames, symbolOf } from '#console/pages/market/parts/symbols.ts';
import { Page } from '#console/ui/page.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { ChooseSymbol } from './choose-symbol.tsx';
import { SymbolLinks } from './symbol-links.tsx';
import { SymbolView } from './symbol-view.tsx';

/** The market: which symbol, and everything that is known of one. */
export function MarketPage() {
  const { symbol: text } = useParams<{ symbol?: string }>();
  if (text === undefined) return <ChooseSymbol />;
  const symbol = symbolOf(text);
  if (symbol) return <SymbolView key={symbol} symbol={symbol} />;
  return (
    <Page title="Market" actions={<SymbolLinks />}>
      <Empty title={`There is no symbol ${text}`}>
        Options of {symbolNames.join(', ')} are analysed. Choose one of them above.
      </Empty>
    </Page>
  );
}
