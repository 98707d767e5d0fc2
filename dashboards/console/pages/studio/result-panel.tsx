import { Answered } from '#console/ui/answered.tsx';
import { Empty } from '#console/ui/empty.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { AssetDetails } from './asset-details.tsx';
import { AssetGrid } from './asset-grid.tsx';
import { AssetPlayer } from './asset-player.tsx';
import classes from './result-panel.module.css';
import type { Asset } from './studio-types.ts';
import { useAssets } from './use-studio.ts';
import { Warnings } from './warnings.tsx';

/** What is shown large: the film, else what speaks, else the first that there is. */
const order: readonly Asset['kind'][] = ['video', 'audio', 'image', 'text'];

/** What a render has made: its films to be played, then everything. */
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
