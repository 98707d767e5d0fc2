import { Radio, Switch, Textarea, TextInput } from '@mantine/core';
import { modeWords } from '#console/pages/studio/parts/words.ts';
import type { BriefDraft } from './brief-draft.ts';
import classes from './brief-fields.module.css';

interface Props {
  readonly draft: BriefDraft;
  readonly change: (part: Partial<BriefDraft>) => void;
  /** True where the visitor tried to keep the brief without words. */
  readonly missing: boolean;
}

const MOST = 4_000;

export function BriefFields({ draft, change, missing }: Props) {
  return (
    <div className={classes['fields']}>
      <Textarea
        name="prompt"
        label="What you want"
        description="In sentences: each of the first four becomes a scene. It is also the text that is spoken, and the caption."
        placeholder="A harbour wakes. Boats go out into the mist. Gulls follow."
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MOST}
        value={draft.prompt}
        onChange={({ currentTarget }) => change({ prompt: currentTarget.value })}
        error={missing && 'Say what you want, in a sentence at least.'}
      />
      <div className={classes['count']}>
        {draft.prompt.length.toLocaleString()} of {MOST.toLocaleString()} characters
      </div>
      <TextInput
        label="Title"
        description="What it is called, here and on its title card. May be left out."
        placeholder="Harbour"
        maxLength={140}
        value={draft.title}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <Radio.Group label="What kind of work" value={draft.mode} onChange={(mode) => change({ mode })}>
        <div className={classes['modes']}>
          {Object.entries(modeWords).map(([mode, { title, about }]) => (
            <Radio key={mode} value={mode} label={title} description={about} className={classes['mode']} size="xs" />
          ))}
        </div>
      </Radio.Group>
      <Switch
        label="Proofline carries it out"
        description="Off for a brief that is only kept: it can be planned all the same."
        size="xs"
        checked={draft.managedByPlatform}
        onChange={({ currentTarget }) => change({ managedByPlatform: currentTarget.checked })}
      />
    </div>
  );
}
