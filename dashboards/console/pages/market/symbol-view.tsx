import { Select, Tabs } from '@mantine/core';
import { Suspense, useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { useCall } from '#console/api/use-call.ts';
import { NoChain } from '#console/pages/market/chain/no-chain.tsx';
import { OfferOwnChain, OwnChain } from '#console/pages/market/chain/own-chain.tsx';
import { KeyFigures } from '#console/pages/market/levels/key-figures.tsx';
import { generationOf, generations } from '#console/pages/market/parts/generations.ts';
import { type MarketSymbol, symbols } from '#console/pages/market/parts/symbols.ts';
import { useMarket } from '#console/pages/market/parts/use-market.ts';
import { Page } from '#console/ui/page.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { SymbolLinks } from './symbol-links.tsx';
import classes from './symbol-view.module.css';
import { Ticker } from './ticker.tsx';
import { views } from './views.ts';

/** Everything that is known of a symbol, live. */
export function SymbolView({ symbol }: { readonly symbol: MarketSymbol }) {
  const [search, setSearch] = useSearchParams();
  const generation = generationOf(search.get('dealers'));
  const view = views.find(({ name }) => name === search.get('view')) ?? views[0]!;
  const market = useMarket(symbol);
  const bar = useRef<HTMLDivElement>(null);
  const levels = useCall('GET /v1/levels/{symbol}', { path: { symbol }, query: { generation } });
  const isShown = levels.isSuccess;
  // on a narrow page the tab of an address may be beyond the edge
  useEffect(() => {
    if (!isShown) return;
    bar.current?.querySelector(`[data-view="${view.name}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [view.name, isShown]);
  const answer = levels.data && 'data' in levels.data ? levels.data : null;
  const show = (name: string, value: string | null) =>
    setSearch((before) => {
      if (value === null) before.delete(name);
      else before.set(name, value);
      return before;
    });
  const isWithout = levels.isError && levels.error.code === 'no_chain';
  return (
    <Page
      title={symbol}
      beside={answer && <Ticker market={market} answer={answer} />}
      lead={symbols[symbol]}
      actions={<SymbolLinks current={symbol} />}
    >
      {levels.isPending && <Loading what={`levels of ${symbol}`} />}
      {levels.isError && !isWithout && <Fault error={levels.error} retry={() => void levels.refetch()} />}
      {isWithout && <NoChain symbol={symbol} />}
      {levels.data && (
        <>
          <OwnChain symbol={symbol} />
          <KeyFigures symbol={symbol} generation={generation} market={market} />
          <Tabs
            value={view.name}
            onChange={(name) => show('view', name === views[0]?.name ? null : name)}
            keepMounted={false}
            classNames={{ list: classes['tabs'] ?? '', tab: classes['tab'] ?? '' }}
          >
            <div ref={bar} className={classes['bar']}>
              <Tabs.List aria-label={`Views of ${symbol}`}>
                {views.map(({ name, title }) => (
                  <Tabs.Tab key={name} value={name} data-view={name}>
                    {title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Select
                className={classes['dealers']}
                aria-label="Model of what dealers hold"
                data={Object.entries(generations).map(([value, label]) => ({ value, label }))}
                value={generation}
                allowDeselect={false}
                onChange={(value) => show('dealers', value === '1' ? null : value)}
              />
            </div>
            {views.map(({ name, title, part: Part }) => (
              <Tabs.Panel key={name} value={name} pt="md">
                <Suspense fallback={<Loading what={title} />}>
                  <Part symbol={symbol} generation={generation} market={market} />
                </Suspense>
              </Tabs.Panel>
            ))}
          </Tabs>
          <OfferOwnChain symbol={symbol} />
        </>
      )}
    </Page>
  );
}
