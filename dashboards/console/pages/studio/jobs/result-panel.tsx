import { AssetDetails } from '#console/pages/studio/assets/asset-details.tsx';
import { AssetGrid } from '#console/pages/studio/assets/asset-grid.tsx';
import { AssetPlayer } from '#console/pages/studio/assets/asset-player.tsx';
import type { Asset } from '#console/pages/studio/parts/studio-types.ts';
import { useAssets } from '#console/pages/studio/parts/use-studio.ts';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import classes from './result-panel.module.css';

/** Order in which a kind is shown large: the film, else speech, else the first that there is. */
const order: readonly Asset['kind'][] = ['video', 'audio', 'image', 'text'];

/** Products of a render: its films to be played, then everything. */
export function ResultPanel({ job, warnings }: { readonly job: string; readonly warnings: readonly string[] }) {
  const assets = useAssets({ job, limit: 100 });
  return (
    <Panel title="Result">
      <Warnings warnings={warnings} />
      <Answered query={assets} what="what was made">
        {({ assets: made }) => {
          if (made.length === 0)
            return <Empty title="Nothing is kept of it">Its assets were erased: render its plan again.</Empty>;
          const kind = order.find((one) => made.some((asset) => asset.kind === one));
          const shown = made.filter((asset) => asset.kind === kind).toReversed();
          const large = kind === 'image' ? shown.slice(0, 1) : shown;
          return (
            <div className={classes['result']}>
              {large.map((asset) => (
                <section key={asset.id} className={classes['shown']} aria-label={asset.name}>
                  <AssetPlayer asset={asset} beside={made} />
                  <AssetDetails asset={asset} />
                </section>
              ))}
              <AssetGrid assets={made.toReversed()} />
            </div>
          );
        }}
      </Answered>
    </Panel>
  );
}
