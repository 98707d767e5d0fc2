import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { UploadChain } from './upload-chain.tsx';

/** Nothing is known of a symbol: how to change that. */
export function NoChain({ symbol }: { readonly symbol: MarketSymbol }) {
  return (
    <Panel title="No option chain yet">
      <Empty title={`There is no option chain of ${symbol} to analyse`}>
        <p>
          Upload one here: the CSV that Cboe’s website exports, or its delayed-quotes JSON. It is yours alone; others
          keep what the feed shows.
        </p>
        <UploadChain symbol={symbol} />
        <p>
          Or the operator of this service loads one for all visitors: <code>proofline ingest</code>, or the setting{' '}
          <code>FEED</code> (<code>synthetic</code>, <code>cboe</code>, <code>files</code>), which is off.
        </p>
      </Empty>
    </Panel>
  );
}
