import { Button, Group, SegmentedControl } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callKey, useCall, useChange } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';

const states = ['all', 'pending', 'failed', 'delivered'] as const;
type State = (typeof states)[number];

interface Props {
  /** Endpoint whose deliveries are shown; null for all. */
  readonly endpoint: string | null;
  readonly onAll: () => void;
}

/** Messages to endpoints, newest first, and the way to send one again. */
export function DeliveriesPanel({ endpoint, onAll }: Props) {
  const [state, setState] = useState<State>('all');
  const query = { limit: 50, ...(endpoint !== null && { endpoint }), ...(state !== 'all' && { state }) };
  const deliveries = useCall('GET /v1/webhook-deliveries', { query });
  const endpoints = useCall('GET /v1/webhook-endpoints', {});
  const titles = new Map(endpoints.data?.data.map(({ id, title }) => [id, title]));
  return (
    <Panel
      title="Deliveries"
      aside={
        <Group gap="xs">
          {endpoint !== null && (
            <Button size="compact-xs" variant="default" onClick={onAll}>
              Of all endpoints
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => void deliveries.refetch()}>
            Look again
          </Button>
          <SegmentedControl
            size="xs"
            aria-label="State"
            data={[...states]}
            value={state}
            onChange={(value) => setState(value)}
          />
        </Group>
      }
      flush
    >
      <Answered query={deliveries} what="deliveries">
        {({ data }) => (
          <DataTable
            label="Deliveries"
            rows={data}
            keyOf={({ id }) => id}
            empty={<Empty title="No messages">They show here once something happens that an endpoint wants.</Empty>}
            columns={[
              { title: 'Event', cell: ({ type }) => <span className="mono">{type}</span> },
              {
                title: 'To',
                from: 'md',
                cell: ({ endpoint_id: id }) => (
                  <span className="breaks">{titles.get(id) ?? 'a webhook of one job'}</span>
                ),
              },
              {
                title: 'State',
                cell: ({ state: of, last_error: error }) => (
                  <>
                    <StateBadge state={of} tone={of === 'delivered' ? 'ok' : of === 'failed' ? 'bad' : 'wait'} />
                    {error !== null && of !== 'delivered' && <div className="quiet">{error}</div>}
                  </>
                ),
              },
              { title: 'Attempts', number: true, from: 'md', cell: ({ attempts }) => attempts.toLocaleString() },
              { title: 'Answer', number: true, from: 'md', cell: ({ last_status: status }) => status ?? '' },
              { title: 'Noted', number: true, from: 'md', cell: ({ created_at: at }) => <Ago at={at} /> },
              {
                title: 'Next',
                number: true,
                from: 'lg',
                cell: ({ next_at: at }) => (at === null ? '' : <Ago at={at} />),
              },
              { title: 'Actions', cell: ({ id, type }) => <Replay id={id} type={type} /> },
            ]}
          />
        )}
      </Answered>
    </Panel>
  );
}

function Replay({ id, type }: { readonly id: string; readonly type: string }) {
  const client = useQueryClient();
  const replay = useChange('POST /v1/webhook-deliveries/{id}/replay', () =>
    client.invalidateQueries({ queryKey: callKey('GET /v1/webhook-deliveries') }),
  );
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={replay.isPending}
      onClick={() => replay.mutate({ path: { id } })}
      aria-label={`Send again: ${type}`}
    >
      Send again
    </Button>
  );
}
