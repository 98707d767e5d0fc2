import { Chip, Group, Input, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { type Aspect, aspects, type BriefDraft, resolutions } from './brief-draft.ts';
import classes from './format-fields.module.css';

interface Props {
  readonly draft: BriefDraft;
  readonly change: (part: Partial<BriefDraft>) => void;
}

const shapes: Readonly<Record<Aspect, string>> = { '16:9': 'wide', '9:16': 'tall', '1:1': 'square', '4:5': 'portrait' };

/** Fields for the channels, and for the shapes, size and length that they take. */
export function FormatFields({ draft, change }: Props) {
  const [typed, setTyped] = useState(0);
  return (
    <div className={classes['fields']}>
      <Input.Wrapper
        label="Channels"
        labelElement="div"
        description="Where it is meant for. Nothing is sent there by rendering; publishing is a decision of its own."
      >
        <Chip.Group multiple value={[...draft.channels]} onChange={(value) => change({ channels: value })}>
          <Group gap={6} mt={8} role="group" aria-label="Channels">
            {Object.entries(channelFormats).map(([channel, { title, aspect }]) => (
              <Chip key={channel} value={channel} size="xs" variant="outline">
                {title} <span className={classes['aspect']}>{aspect}</span>
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <Input.Wrapper
        label="Aspect ratios"
        labelElement="div"
        description={
          draft.aspects.length === 0
            ? `None chosen: ${draft.channels.length > 0 ? 'those of the channels' : '16:9'}. One film is made for each.`
            : 'One film is made for each.'
        }
      >
        <Chip.Group multiple value={[...draft.aspects]} onChange={(value) => change({ aspects: value })}>
          <Group gap={6} mt={8} role="group" aria-label="Aspect ratios">
            {aspects.map((aspect) => (
              <Chip key={aspect} value={aspect} size="xs" variant="outline">
                {aspect} <span className={classes['aspect']}>{shapes[aspect]}</span>
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <div className={classes['row']}>
        <Select
          label="Resolution"
          description="Pixels of the short side"
          data={resolutions.map((value) => ({ value, label: `${value}p` }))}
          value={draft.resolution}
          allowDeselect={false}
          onChange={(resolution) => resolution !== null && change({ resolution })}
        />
        <NumberInput
          label="Length"
          description="Seconds, 1 to 120"
          min={1}
          max={120}
          clampBehavior="strict"
          allowDecimal={false}
          suffix=" s"
          value={draft.seconds}
          // what is left empty is what it was
          key={typed}
          onBlur={({ currentTarget }) => currentTarget.value === '' && setTyped(typed + 1)}
          onChange={(seconds) => typeof seconds === 'number' && change({ seconds })}
        />
      </div>
    </div>
  );
}
