import { Button, Group } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useChange } from '#console/api/use-call.ts';
import type { Brief } from '#console/pages/studio/parts/studio-types.ts';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { type BriefDraft, emptyDraft, formatsOf } from './brief-draft.ts';
import { BriefFields } from './brief-fields.tsx';
import { BriefPreview } from './brief-preview.tsx';
import { FormatFields } from './format-fields.tsx';
import classes from './new-brief-page.module.css';

/** Form for a brief, with a preview of what it would come to. It makes nothing. */
export function NewBriefPage() {
  const [draft, setDraft] = useState<BriefDraft>(emptyDraft);
  const [tried, setTried] = useState(false);
  const [, go] = useLocation();
  const keep = useChange('POST /api/studio/v1/brief', ({ output }) =>
    go(`/studio/briefs/${(output['brief'] as Brief).id}`),
  );
  const change = (part: Partial<BriefDraft>) => setDraft({ ...draft, ...part });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (draft.prompt.trim() === '') {
      document.querySelector<HTMLElement>('[name=prompt]')?.focus();
      return;
    }
    const title = draft.title.trim();
    keep.mutate({
      body: {
        mode: draft.mode,
        prompt: draft.prompt.trim(),
        ...(title !== '' && { title }),
        targetFormats: [...formatsOf(draft)],
        ...(draft.channels.length > 0 && { channels: [...draft.channels] }),
        managedByPlatform: draft.managedByPlatform,
      },
    });
  };
  return (
    <Page
      title="New brief"
      lead="Say what you want. Keeping a brief makes nothing, calls no provider and costs nothing; planning it comes next."
    >
      <form className={classes['columns']} onSubmit={submit} noValidate>
        <div className={classes['fields']}>
          <Panel title="What it is">
            <BriefFields draft={draft} change={change} missing={tried && draft.prompt.trim() === ''} />
          </Panel>
          <Panel title="Shape and channels">
            <FormatFields draft={draft} change={change} />
          </Panel>
        </div>
        <aside className={classes['beside']} aria-label="What this comes to">
          <BriefPreview draft={draft} />
          {keep.isError && <Fault error={keep.error} />}
          <Group gap="xs">
            <Button type="submit" size="sm" loading={keep.isPending}>
              Keep the brief
            </Button>
            <Button component={Link} href="/studio" size="sm" variant="default">
              Leave it
            </Button>
          </Group>
        </aside>
      </form>
    </Page>
  );
}
