import { Link } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { Freshness } from '#console/pages/market/parts/freshness.tsx';
import { RegimeMark } from '#console/pages/market/parts/regime-mark.tsx';
import { type MarketSymbol, symbols } from '#console/pages/market/parts/symbols.ts';
import { KeyValue } from '#console/ui/data/key-value.tsx';
import { distance, dollars, none, points } from '#src/lib/charts/figures.ts';
import classes from './choose-symbol.module.css';

/** Status of a symbol, as a link to its page. */
export function SymbolCard({ symbol }: { readonly symbol: MarketSymbol }) {
  const read = useCall('GET /v1/regime/{symbol}', { path: { symbol } });
  const answer = read.data && 'data' in read.data ? read.data : null;
  const figures = answer?.data ?? null;
  return (
    <Link href={`/market/${symbol}`} className={classes['card']}>
      <span className={classes['head']}>
        <h2>{symbol}</h2>
        <span className={classes['spot']}>{figures ? points(figures.spot) : none}</span>
      </span>
      <span className="quiet">{symbols[symbol]}</span>
      {figures && (
        <KeyValue
          facts={{
            Regime: <RegimeMark state={figures.state} brief />,
            'Net gamma': `${dollars(figures.net_gex)} per +1 %`,
            'Gamma flip': `${points(figures.flip)} (${distance(figures.flip, figures.spot)})`,
          }}
        />
      )}
      <span className={classes['foot']}>
        {read.isPending && <span data-loading>is being read …</span>}
        {read.isError &&
          (read.error.code === 'no_chain' ? 'No chain yet: open it to give it one.' : read.error.message)}
        {answer && <Freshness of={answer} />}
      </span>
    </Link>
  );
}
