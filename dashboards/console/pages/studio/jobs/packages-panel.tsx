import { Button } from '@mantine/core';
import type { Plan, StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { useAsset } from '#console/pages/studio/parts/use-studio.ts';
import { formatSize } from '#console/pages/studio/parts/words.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { countCharacters, countingOf } from '#src/studio/domain/count-characters.ts';
import classes from './packages-panel.module.css';

type Package = NonNullable<NonNullable<StudioJob['result']>['packages']>[number];

/** A package a channel, to be taken. */
export function PackagesPanel({ job, plan }: { readonly job: StudioJob; readonly plan: Plan | undefined }) {
  return (
    <Panel title="Packages">
      <ul className={classes['packages']}>
        {(job.result?.packages ?? []).map((one) => (
          <li key={one.channel}>
            <PackageOf one={one} caption={plan?.prompt ?? ''} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function PackageOf({ one, caption }: { readonly one: Package; readonly caption: string }) {
  const { title, aspect, seconds, caption: most, hashtags } = channelFormats[one.channel];
  const asset = useAsset(one.asset.id);
  return (
    <>
      <div>
        <h3>{title}</h3>
        <StateBadge
          state={one.status === 'delivered' ? 'delivered' : 'kept here, for you to post'}
          tone={one.status === 'delivered' ? 'ok' : 'busy'}
        />
        {one.externalId !== null && <div className="quiet">known there as {one.externalId}</div>}
        <div className="quiet">
          {aspect} · {seconds === null ? 'any length' : `up to ${seconds} s`} · caption{' '}
          {Math.min(most, countCharacters(caption, countingOf(one.channel)))} of {most} characters · up to {hashtags}{' '}
          hashtags
        </div>
      </div>
      <Answered query={asset} what="the package">
        {({ links, size, status, name }) =>
          status === 'erased' ? (
            <span className="quiet">its bytes were erased; publish again to have it</span>
          ) : (
            <Button
              component="a"
              href={links.content}
              download={`${name}.zip`}
              leftSection={<Icon name="download" size={14} />}
            >
              Download the ZIP ({formatSize(size)})
            </Button>
          )
        }
      </Answered>
    </>
  );
}
