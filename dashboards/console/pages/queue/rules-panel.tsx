import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#console/api/client.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';
import { EditRule } from './edit-rule.tsx';
import { type Rule, rateOf, whoseOf } from './rule-draft.ts';

/**
 * Weights, limits and pauses of a queue, and the ways to change them; nothing for a visitor who may not.
 *
 * @param queue `*` for rules of owners and keys over all queues
 */
export function RulesPanel({ queue }: { readonly queue: string }) {
  const rules = useCall('GET /v1/queues/{name}/rules', { path: { name: queue } });
  if (!rules.isSuccess) return null;
  return (
    <Panel
      title={queue === '*' ? 'Rules over all queues' : 'Rules'}
      aside={<EditRule queue={queue} from={{ kind: queue === '*' ? 'owner' : 'queue' }} label="Add a rule" size="xs" />}
      flush
    >
      <DataTable
        label="Rules"
        rows={rules.data.data}
        keyOf={({ kind, name }) => `${kind} ${name ?? ''}`}
        empty={<Empty title="No rules">Each group gets the same share, and nothing is bounded or paused.</Empty>}
        columns={[
          {
            title: 'Of',
            cell: (rule) => (
              <>
                {whoseOf(rule)}
                {rule.paused && <StateBadge state="paused" tone="wait" />}
                {rule.reason !== null && <div className="quiet">{rule.reason}</div>}
              </>
            ),
          },
          { title: 'Weight', number: true, from: 'md', cell: ({ weight }) => weight ?? '' },
          {
            title: 'Limits',
            cell: (rule) =>
              [rule.concurrency === null ? '' : `${rule.concurrency.toLocaleString()} at once`, rateOf(rule)]
                .filter((part) => part !== '')
                .join(', '),
          },
          {
            title: 'Written',
            from: 'lg',
            cell: ({ changed_at: at, changed_by: by }) => (
              <>
                <Ago at={at} /> by {by}
              </>
            ),
          },
          {
            title: 'Actions',
            cell: (rule) => (
              <Group gap={6}>
                <EditRule queue={queue} from={rule} label="Change" name={`Change: ${whoseOf(rule)}`} />
                <RemoveRule queue={queue} rule={rule} />
              </Group>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function RemoveRule({ queue, rule }: { readonly queue: string; readonly rule: Rule }) {
  const client = useQueryClient();
  const { kind, name } = rule;
  return (
    <ConfirmButton
      label="Remove"
      name={`Remove: ${whoseOf(rule)}`}
      question={`Remove the rule of ${whoseOf(rule).toLowerCase()}?`}
      compact
      icon={<Icon name="close" size={14} />}
      act={async () => {
        const query = { kind, ...(name !== null && { name }) };
        await call('DELETE /v1/queues/{name}/rules', { path: { name: queue }, query });
        await client.invalidateQueries({ queryKey: callKey('GET /v1/queues/{name}/rules') });
      }}
    >
      Its weight is 1 again, and what it bounded or paused goes on, within two seconds.
    </ConfirmButton>
  );
}
