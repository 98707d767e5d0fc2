import { Link } from 'wouter';
import classes from '#console/pages/studio/parts/two-columns.module.css';
import { useAsset, useAssets } from '#console/pages/studio/parts/use-studio.ts';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { AssetDetails } from './asset-details.tsx';
import { AssetPlayer } from './asset-player.tsx';

/** One asset: to be seen or heard, and everything that is known of it. */
export function AssetPage({ id }: { readonly id: string }) {
  const asset = useAsset(id);
  const job = asset.data?.job;
  const beside = useAssets({ limit: 50, ...(job !== undefined && { job }) });
  return (
    <Page title={asset.data?.name ?? 'Asset'} lead={<Link href="/studio">Studio</Link>}>
      <Answered query={asset} what="the asset">
        {(found) => (
          <div className={classes['columns']}>
            <Panel title="Content">
              <AssetPlayer asset={found} beside={beside.data?.assets ?? []} />
            </Panel>
            <Panel title="What is known of it">
              <AssetDetails asset={found} />
            </Panel>
          </div>
        )}
      </Answered>
    </Page>
  );
}
