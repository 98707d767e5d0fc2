import { AlertsPanel } from '#console/pages/market/alerts/alerts-panel.tsx';
import { symbolNames } from '#console/pages/market/parts/symbols.ts';
import { Page } from '#console/ui/page.tsx';
import classes from './choose-symbol.module.css';
import { SymbolCard } from './symbol-card.tsx';

/** Every symbol with its main figures, and what has just happened to any of them. */
export function ChooseSymbol() {
  return (
    <Page
      title="Market"
      lead="What option dealers hold, and what it makes them trade. Each card is as it was when you came; an open symbol moves live."
    >
      <div className={classes['cards']}>
        {symbolNames.map((symbol) => (
          <SymbolCard key={symbol} symbol={symbol} />
        ))}
      </div>
      <AlertsPanel symbol={null} />
    </Page>
  );
}
