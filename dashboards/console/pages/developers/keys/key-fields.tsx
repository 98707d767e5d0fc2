import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import type { Scope } from '#console/api/api.d.ts';
import { useSession } from '#console/api/session.ts';
import classes from './key-fields.module.css';
import type { KeyDraft, KeyFaults } from './key-form.ts';
import { scopeGroups } from './scopes.ts';

interface Props {
  readonly draft: KeyDraft;
  readonly faults: KeyFaults;
  readonly onChange: (draft: KeyDraft) => void;
}

/** Fields for a key's name, its scopes, and the addresses that may use it. */
export function KeyFields({ draft, faults, onChange }: Props) {
  const held = useSession().scopes;
  const toggle = (scope: Scope, chosen: boolean) =>
    onChange({
      ...draft,
      scopes: chosen ? [...draft.scopes, scope] : draft.scopes.filter((one) => one !== scope),
    });
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="What it is for: you find it by this."
        placeholder="Nightly report"
        maxLength={100}
        value={draft.name}
        error={faults.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        data-autofocus
      />
      {scopeGroups.map(({ title, scopes }) => (
        <fieldset key={title} className={classes['group']}>
          <legend>{title}</legend>
          <div className={classes['scopes']}>
            {scopes.map(({ scope, does }) => (
              <Checkbox
                key={scope}
                size="xs"
                label={<code>{scope}</code>}
                description={does}
                checked={draft.scopes.includes(scope)}
                disabled={!held.includes(scope)}
                onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {faults.scopes !== undefined && (
        <p className={classes['fault']} role="alert">
          {faults.scopes}
        </p>
      )}
      <Textarea
        size="xs"
        label="Allowed addresses"
        description="IPv4 addresses it may be used from, one a line. Leave empty for anywhere."
        placeholder="203.0.113.7"
        autosize
        minRows={2}
        value={draft.addresses}
        error={faults.addresses}
        onChange={({ currentTarget }) => onChange({ ...draft, addresses: currentTarget.value })}
      />
    </Stack>
  );
}
