import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { callKey, useCall, useChange } from '#console/api/use-call.ts';
import { Page } from '#console/ui/page.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { bodyOf, type Draft, draftOf, emptyDraft } from './draft.ts';
import classes from './edit-page.module.css';
import { JobFields } from './job-fields.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { RuleFields } from './rule-fields.tsx';

/** Form for a schedule: a new one, or one that there is. */
export function EditPage() {
  const { name } = useParams<{ name?: string }>();
  return name === undefined ? <Form initial={emptyDraft} isNew /> : <EditExisting key={name} name={name} />;
}

function EditExisting({ name }: { readonly name: string }) {
  const schedule = useCall('GET /v1/schedules/{name}', { path: { name } });
  if (schedule.data) return <Form initial={draftOf(schedule.data)} isNew={false} />;
  return (
    <Page title={`Edit ${name}`}>
      {schedule.isError ? (
        <Fault error={schedule.error} retry={() => void schedule.refetch()} />
      ) : (
        <Loading what="the schedule" />
      )}
    </Page>
  );
}

function Form({ initial, isNew }: { readonly initial: Draft; readonly isNew: boolean }) {
  // what is read anew meanwhile does not take away what is typed
  const [draft, setDraft] = useState(initial);
  const [, go] = useLocation();
  const client = useQueryClient();
  const put = useChange('PUT /v1/schedules/{name}', async ({ name }) => {
    await client.invalidateQueries({ queryKey: callKey('GET /v1/schedules') });
    await client.invalidateQueries({ queryKey: callKey('GET /v1/schedules/{name}', { path: { name } }) });
    go(`/schedules/${name}`);
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const body = bodyOf(draft);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (body) put.mutate({ path: { name: draft.name }, body });
  };
  const faultOf = (field: string) => (put.error?.fields ?? []).find((one) => one.field === field)?.message;
  return (
    <Page
      title={isNew ? 'New schedule' : `Edit ${draft.name}`}
      lead="Each of its times submits one job, once, whatever happens to the servers."
    >
      <form className={classes['form']} onSubmit={submit} noValidate>
        <Panel title="Job">
          <JobFields draft={draft} change={change} isNew={isNew} faultOf={faultOf} />
        </Panel>
        <Panel title="When">
          <RuleFields draft={draft} change={change} />
        </Panel>
        <Panel title="When something is in the way">
          <PolicyFields draft={draft} change={change} />
        </Panel>
        {put.isError && <Fault error={put.error} />}
        <Group gap="xs">
          <Button type="submit" loading={put.isPending} disabled={!body || draft.name === '' || draft.queue === ''}>
            {isNew ? 'Create schedule' : 'Save'}
          </Button>
          <Button component={Link} href={isNew ? '/schedules' : `/schedules/${draft.name}`} variant="default">
            Leave it
          </Button>
        </Group>
      </form>
    </Page>
  );
}
