import { Button, Checkbox } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '#console/api/use-call.ts';
import type { Approval, Channel, Plan } from '#console/pages/studio/parts/studio-types.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { type ChannelFormat, channelFormats } from '#src/studio/domain/channel-formats.ts';
import { countCharacters, countingOf } from '#src/studio/domain/count-characters.ts';
import classes from './publish-panel.module.css';

/** Asks for packages of what a plan has made, a channel each. What comes of it is an approval: nothing is published yet. */
export function PublishPanel({ plan }: { readonly plan: Plan }) {
  const [, go] = useLocation();
  const [chosen, setChosen] = useState<readonly Channel[]>(plan.channels);
  const ask = useChange('POST /api/studio/v1/publish', ({ output }) =>
    go(`/studio/approvals/${(output['approval'] as Approval).id}`),
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    ask.mutate({ body: { planId: plan.id, channels: [...chosen], dryRun: true } });
  };
  return (
    <Panel title="Publish">
      <form onSubmit={submit} className={classes['form']}>
        <p className={classes['about']}>
          A package (ZIP) for each channel: its film in the channel’s shape, pictures, caption, checksums. It is posted
          nowhere unless the channel has an address, and a person allows it first.
        </p>
        <Checkbox.Group label="Channels" value={[...chosen]} onChange={(value) => setChosen(value)}>
          <div className={classes['channels']}>
            {Object.entries(channelFormats).map(([channel, format]) => (
              <Checkbox
                key={channel}
                value={channel}
                size="xs"
                label={format.title}
                description={limitsOf(channel as Channel, format, plan.prompt)}
              />
            ))}
          </div>
        </Checkbox.Group>
        <div>
          <div className={classes['name']}>Caption</div>
          <p className={classes['caption']}>{plan.prompt}</p>
        </div>
        {ask.isError && <Fault error={ask.error} />}
        <div>
          <Button type="submit" disabled={chosen.length === 0} loading={ask.isPending}>
            {chosen.length === 0 ? 'Choose a channel' : 'See what would be published'}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** The shape and the bounds of a channel, and whether a caption is cut to them. */
function limitsOf(channel: Channel, { aspect, seconds, caption }: ChannelFormat, text: string): string {
  const length = countCharacters(text, countingOf(channel));
  return [
    aspect,
    seconds === null ? 'any length' : `up to ${seconds} s`,
    length > caption ? `caption cut from ${length} to ${caption} characters` : `caption ${length} of ${caption}`,
  ].join(' · ');
}
