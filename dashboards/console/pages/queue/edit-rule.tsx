import { Button, type ButtonProps, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { Fault } from '#console/ui/states/fault.tsx';
import { bodyOf, draftOf, type Rule, type RuleDraft, whoseOf } from './rule-draft.ts';

const kindWords = { queue: 'The queue', group: 'A group', owner: 'An owner', key: 'A key that submits' };

interface Props {
  /** `*`: rules of owners and keys over all queues. */
  readonly queue: string;
  /** The rule that is changed, or whose a new one is. */
  readonly from: Partial<Rule> & Pick<Rule, 'kind'>;
  readonly label: string;
  /** Name of the button for screen readers. */
  readonly name?: string;
  readonly size?: ButtonProps['size'];
}

/** A button for a rule: its weight, its limits, its pause, and why. */
export function EditRule({ queue, from, label, name, size = 'compact-xs' }: Props) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<RuleDraft | null>(null);
  const put = useChange('PUT /v1/queues/{name}/rules', async () => {
    await client.invalidateQueries({ queryKey: callKey('GET /v1/queues/{name}/rules') });
    setDraft(null);
  });
  const isKnown = from.changed_at !== undefined;
  const begin = () => {
    put.reset();
    setDraft(draftOf(from));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft) put.mutate({ path: { name: queue }, body: bodyOf(draft) });
  };
  return (
    <>
      <Button size={size} variant="default" onClick={begin} aria-label={name ?? label}>
        {label}
      </Button>
      <Modal
        opened={draft !== null}
        onClose={() => setDraft(null)}
        title={isKnown ? `Rule: ${whoseOf(draftOf(from))}` : 'A rule'}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {draft && (
          <form onSubmit={submit}>
            <Stack gap="md">
              <RuleFields queue={queue} draft={draft} onChange={setDraft} isKnown={isKnown} />
              <Text fz="sm" className="quiet">
                It holds everywhere within two seconds. Jobs that run go on.
              </Text>
              {put.isError && <Fault error={put.error} />}
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={() => setDraft(null)}>
                  Leave it
                </Button>
                <Button type="submit" loading={put.isPending}>
                  Write the rule
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}

interface FieldProps {
  readonly queue: string;
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
  /** True: whose it is stays. */
  readonly isKnown: boolean;
}

function RuleFields({ queue, draft, onChange, isKnown }: FieldProps) {
  const kinds = queue === '*' ? (['owner', 'key'] as const) : (['queue', 'group', 'owner', 'key'] as const);
  const text = (field: 'weight' | 'concurrency' | 'jobs' | 'seconds', label: string, step = '1', min = '0') => (
    <TextInput
      type="number"
      label={label}
      min={min}
      step={step}
      value={draft[field]}
      onChange={({ currentTarget }) => onChange({ ...draft, [field]: currentTarget.value })}
    />
  );
  return (
    <>
      {!isKnown && (
        <Select
          label="Of"
          data={kinds.map((value) => ({ value, label: kindWords[value] }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(value) => onChange({ ...draft, kind: value ?? draft.kind })}
        />
      )}
      {!isKnown && draft.kind !== 'queue' && (
        <TextInput
          label="Name"
          description={`${draft.kind === 'key' ? 'Id of the key' : `Name of the ${draft.kind}`}; * is each that has no rule of its own.`}
          required
          maxLength={200}
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        />
      )}
      {draft.kind === 'group' && text('weight', 'Weight: its share beside other groups', 'any', '0.01')}
      {text('concurrency', 'Jobs that run at once; any number without one')}
      <Group grow>
        {text('jobs', 'Jobs that begin', '1', '1')}
        {text('seconds', 'in seconds', '1', '1')}
      </Group>
      <Checkbox
        label="Paused: none of its jobs begins"
        checked={draft.paused}
        onChange={({ currentTarget }) => onChange({ ...draft, paused: currentTarget.checked })}
      />
      <TextInput
        label="Why"
        maxLength={500}
        value={draft.reason}
        onChange={({ currentTarget }) => onChange({ ...draft, reason: currentTarget.value })}
      />
    </>
  );
}
