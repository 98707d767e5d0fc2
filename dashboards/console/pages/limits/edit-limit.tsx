import { Button, type ButtonProps, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import { Fault } from '#console/ui/states/fault.tsx';
import { kindWords, type Limit, scopeWords } from './limit.ts';

type Draft = Pick<Limit, 'kind' | 'scope' | 'subject'> & { readonly most: string };

interface Props {
  readonly label: string;
  /** Name of the button for screen readers. */
  readonly name?: string;
  readonly size?: ButtonProps['size'];
  /** The limit that is changed, or whose a new one is. */
  readonly from?: Pick<Limit, 'kind' | 'scope' | 'subject'> & Partial<Limit>;
}

const fresh = { kind: 'queue_depth', scope: 'owner', subject: '' } as const;
const choices = <K extends string>(words: Readonly<Record<K, string>>) =>
  (Object.keys(words) as K[]).map((value) => ({ value, label: words[value] }));

/** A button for a limit: what, whose, how much. */
export function EditLimit({ label, name, size = 'compact-xs', from = fresh }: Props) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft | null>(null);
  const put = useChange('PUT /v1/limits', async () => {
    await client.invalidateQueries({ queryKey: callKey('GET /v1/limits') });
    await client.invalidateQueries({ queryKey: callKey('GET /v1/limits/mine') });
    setDraft(null);
  });
  const begin = () => {
    put.reset();
    const { kind, scope, subject, most } = from;
    setDraft({ kind, scope, subject, most: most === undefined ? '' : `${most}` });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!draft) return;
    const { kind, scope, subject, most } = draft;
    put.mutate({ body: { kind, scope, ...(scope !== 'default' && { subject: subject.trim() }), most: Number(most) } });
  };
  return (
    <>
      <Button size={size} variant="default" onClick={begin} aria-label={name ?? label}>
        {label}
      </Button>
      <Modal
        opened={draft !== null}
        onClose={() => setDraft(null)}
        title="A limit"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {draft && (
          <form onSubmit={submit}>
            <Stack gap="md">
              <Select
                label="Bounds"
                data={choices(kindWords)}
                value={draft.kind}
                allowDeselect={false}
                disabled={from.most !== undefined}
                onChange={(value) => setDraft({ ...draft, kind: value ?? draft.kind })}
              />
              <Select
                label="Of"
                data={choices(scopeWords)}
                value={draft.scope}
                allowDeselect={false}
                disabled={from.most !== undefined}
                onChange={(value) => setDraft({ ...draft, scope: value ?? draft.scope })}
              />
              {draft.scope !== 'default' && (
                <TextInput
                  label="Whose"
                  description="Id of the key, the owner, or the tier (standard, high)."
                  required
                  maxLength={200}
                  disabled={from.most !== undefined}
                  value={draft.subject}
                  onChange={({ currentTarget }) => setDraft({ ...draft, subject: currentTarget.value })}
                />
              )}
              <TextInput
                type="number"
                label="Most"
                min={0}
                required
                value={draft.most}
                onChange={({ currentTarget }) => setDraft({ ...draft, most: currentTarget.value })}
              />
              {put.isError && <Fault error={put.error} />}
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={() => setDraft(null)}>
                  Leave it
                </Button>
                <Button type="submit" loading={put.isPending}>
                  Set the limit
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
}
