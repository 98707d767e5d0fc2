import { useQueryClient } from '@tanstack/react-query';
import { call } from '#console/api/client.ts';
import { useCall } from '#console/api/use-call.ts';
import type { MarketSymbol } from '#console/pages/market/parts/symbols.ts';
import { readAgain } from '#console/pages/market/parts/use-market.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import classes from './own-chain.module.css';
import { UploadChain } from './upload-chain.tsx';

/** Feed of the figures of a symbol: `own` is a chain that the visitor has uploaded. Null while it is not known. */
function useFeedOf(symbol: MarketSymbol): string | null {
  const read = useCall('GET /v1/gex/{symbol}', { path: { symbol }, query: { generation: '1' } });
  return read.data && 'data' in read.data ? (read.data.data?.feed ?? null) : null;
}

/** Offers to look at a chain of one's own in place of the feed. */
export function OfferOwnChain({ symbol }: { readonly symbol: MarketSymbol }) {
  const feed = useFeedOf(symbol);
  if (feed === null || feed === 'own') return null;
  return (
    <div className={classes['offer']}>
      <p>
        These are the feed’s figures. With a chain of your own (the CSV that Cboe’s website exports, or its
        delayed-quotes JSON) you alone see that one instead.
      </p>
      <UploadChain symbol={symbol} />
    </div>
  );
}

/** Says that one looks at a chain of one's own, which does not move, and leads back to the feed. */
export function OwnChain({ symbol }: { readonly symbol: MarketSymbol }) {
  const client = useQueryClient();
  if (useFeedOf(symbol) !== 'own') return null;
  const forget = async () => {
    await call('DELETE /v1/snapshot/{symbol}', { path: { symbol } });
    await readAgain(client, symbol);
  };
  return (
    <div className={classes['own']} role="note">
      <p>You look at a chain that you have uploaded. It does not move; alerts and history are of the feed.</p>
      <ConfirmButton label="Forget it" question={`Forget your chains of ${symbol}?`} act={forget} grave>
        Every chain of {symbol} that you uploaded is deleted, with its figures, and you see what the feed shows again.
        Chains of others and of other symbols stay.
      </ConfirmButton>
    </div>
  );
}
