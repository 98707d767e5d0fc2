import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#console/api/client.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { ConfirmButton } from '#console/ui/confirm-button.tsx';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Ago } from '#console/ui/time.tsx';
import { EditLimit } from './edit-limit.tsx';
import { kindWords, type Limit, whoseOf } from './limit.ts';

/** Limits that are set, page by page, and the settings behind them. */
export function LimitsPanel() {
  const [after, setAfter] = useState<string | null>(null);
  const limits = useCall('GET /v1/limits', { query: { limit: 50, ...(after !== null && { after }) } });
  return (
    <Panel title="Set for callers" flush>
      <Answered query={limits} what="limits">
        {({ data, next, settings }) => (
          <>
            <DataTable
              label="Limits"
              rows={data}
              keyOf={({ kind, scope, subject }) => `${kind} ${scope} ${subject}`}
              empty={<Empty title="None is set">The settings hold for every caller.</Empty>}
              columns={[
                {
                  title: 'Limit',
                  cell: (limit) => (
                    <>
                      {kindWords[limit.kind]}
                      <div className="quiet">{whoseOf(limit)}</div>
                    </>
                  ),
                },
                { title: 'Most', number: true, cell: ({ most }) => most.toLocaleString() },
                {
                  title: 'Set',
                  from: 'md',
                  cell: ({ set_at: at, set_by: by }) => (
                    <>
                      <Ago at={at} /> by {by}
                    </>
                  ),
                },
                {
                  title: 'Actions',
                  cell: (limit) => (
                    <Group gap={6}>
                      <EditLimit label="Change" name={`Change ${limit.kind}: ${whoseOf(limit)}`} from={limit} />
                      <RemoveLimit limit={limit} />
                    </Group>
                  ),
                },
              ]}
            />
            {(next !== null || after !== null) && (
              <Group gap="xs" p="sm">
                <Button size="compact-xs" variant="default" disabled={after === null} onClick={() => setAfter(null)}>
                  From the beginning
                </Button>
                <Button size="compact-xs" variant="default" disabled={next === null} onClick={() => setAfter(next)}>
                  More
                </Button>
              </Group>
            )}
            <Text fz="sm" p="sm" className="quiet">
              {`Without one: ${settings.map(({ kind, tier, most }) => `${kindWords[kind].toLowerCase()} (${tier}) ${most.toLocaleString()}`).join('; ')}.`}
            </Text>
          </>
        )}
      </Answered>
    </Panel>
  );
}

function RemoveLimit({ limit }: { readonly limit: Limit }) {
  const client = useQueryClient();
  const { kind, scope, subject } = limit;
  return (
    <ConfirmButton
      label="Remove"
      name={`Remove ${kind}: ${whoseOf(limit)}`}
      question={`Remove the limit of ${whoseOf(limit).toLowerCase()}?`}
      compact
      icon={<Icon name="close" size={14} />}
      act={async () => {
        await call('DELETE /v1/limits', { query: { kind, scope, subject } });
        await client.invalidateQueries({ queryKey: callKey('GET /v1/limits') });
      }}
    >
      The next in the order holds: of the key, the owner, the tier, every caller, then the settings. Within two seconds.
    </ConfirmButton>
  );
}
