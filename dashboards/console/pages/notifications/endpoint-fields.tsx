import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useSession } from '#console/api/session.ts';
import { type EndpointDraft, eventChoices, formatChoices } from './draft.ts';

interface Props {
  readonly draft: EndpointDraft;
  readonly onChange: (draft: EndpointDraft) => void;
}

/** Fields for an endpoint: its address, its format, and the events that it wants. */
export function EndpointFields({ draft, onChange }: Props) {
  const { operator: isOperator } = useSession();
  const isMail = draft.format === 'mail';
  const wants = (family: string) => draft.events.some((one) => one.startsWith(family));
  return (
    <Stack gap="md">
      <Select
        label="As"
        data={[...formatChoices]}
        value={draft.format}
        allowDeselect={false}
        onChange={(value) => onChange({ ...draft, format: value ?? 'raw' })}
      />
      <TextInput
        label={isMail ? 'Mail address' : 'Address'}
        description={isMail ? 'Your own, or one that this service may send mail to.' : 'It begins with https://.'}
        placeholder={isMail ? 'ada@example.com' : 'https://example.com/hooks'}
        required
        maxLength={2_000}
        value={draft.url}
        onChange={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Name"
        description="You find it by this; without one by its host."
        maxLength={100}
        value={draft.title}
        onChange={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
      />
      <Checkbox.Group
        label="Is notified of"
        value={[...draft.events]}
        onChange={(events) => onChange({ ...draft, events })}
      >
        <Stack gap={6} mt={6}>
          {eventChoices.map(({ value, label }) => (
            <Checkbox key={value} size="xs" value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      {wants('job.') && (
        <TextInput
          label="Of these queues alone"
          description="With commas; of any queue without one."
          placeholder="acme.send-report"
          value={draft.queues}
          onChange={({ currentTarget }) => onChange({ ...draft, queues: currentTarget.value })}
        />
      )}
      {wants('signal.') && (
        <TextInput
          label="Of these underlyings alone"
          description="With commas; of any without one."
          placeholder="SPX"
          value={draft.symbols}
          onChange={({ currentTarget }) => onChange({ ...draft, symbols: currentTarget.value })}
        />
      )}
      {isOperator && (
        <Checkbox
          size="xs"
          label="Events of all owners"
          description="Such as decisions that you may make for them. It holds while you are an operator."
          checked={draft.everyOwner}
          onChange={({ currentTarget }) => onChange({ ...draft, everyOwner: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
