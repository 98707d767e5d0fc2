import type { Asset } from '#console/pages/studio/parts/studio-types.ts';
import { useAssets } from '#console/pages/studio/parts/use-studio.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { AssetGrid } from './asset-grid.tsx';

/** Captions and notes belong to a film: they are found with it. */
const worthSeeing: ReadonlySet<Asset['kind']> = new Set(['video', 'image', 'audio', 'package']);

/** The newest assets. */
export function AssetsPanel() {
  const assets = useAssets({ limit: 24 });
  return (
    <Panel title="Made last">
      <Answered query={assets} what="what was made">
        {({ assets: made }) =>
          made.length === 0 ? (
            <Empty title="Nothing was made yet">Films, pictures and sound appear here as they are rendered.</Empty>
          ) : (
            <AssetGrid assets={made.filter(({ kind }) => worthSeeing.has(kind))} most={8} />
          )
        }
      </Answered>
    </Panel>
  );
}
