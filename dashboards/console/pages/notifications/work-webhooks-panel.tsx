import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callKey, useCall, useChange } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Ago } from '#console/ui/time.tsx';

/**
 * Messages about the ends of jobs and missions to the address that their request named (`webhook` under `/api/v2`), newest
 * first; nothing where there are none.
 */
export function WorkWebhooksPanel() {
  const deliveries = useCall('GET /api/v2/webhooks', { query: { limit: 50 } });
  // a service without the platform has no such messages
  if (!deliveries.isSuccess || deliveries.data.data.length === 0) return null;
  return (
    <Panel
      title="Webhooks of requests"
      aside={
        <Button size="compact-xs" variant="default" onClick={() => void deliveries.refetch()}>
          Look again
        </Button>
      }
      flush
    >
      <DataTable
        label="Webhooks of requests"
        rows={deliveries.data.data}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          {
            title: 'End of',
            cell: ({ job }) =>
              job.kind === 'mission' ? (
                <Link href={`/missions/${job.id}`}>mission {job.id.slice(-8)}</Link>
              ) : (
                <Link href={`/jobs/${job.id}`}>job {job.id.slice(-8)}</Link>
              ),
          },
          { title: 'Address', from: 'md', cell: ({ url }) => <span className="mono">{url}</span> },
          { title: 'Event', cell: ({ event }) => <span className="mono">{event}</span> },
          {
            title: 'State',
            cell: ({ state, last_error: error }) => (
              <>
                <StateBadge state={state} tone={state === 'delivered' ? 'ok' : state === 'failed' ? 'bad' : 'wait'} />
                {error !== null && state !== 'delivered' && <div className="quiet">{error}</div>}
              </>
            ),
          },
          { title: 'Attempts', number: true, from: 'md', cell: ({ attempts }) => attempts.toLocaleString() },
          { title: 'Answer', number: true, from: 'lg', cell: ({ last_status: status }) => status ?? '' },
          { title: 'Noted', number: true, from: 'md', cell: ({ created_at: at }) => <Ago at={at} /> },
          {
            title: 'Actions',
            cell: ({ id, state, event, job }) =>
              state !== 'pending' && <Replay id={id} name={`Send again: ${event} of ${job.id}`} />,
          },
        ]}
      />
    </Panel>
  );
}

function Replay({ id, name }: { readonly id: string; readonly name: string }) {
  const client = useQueryClient();
  const replay = useChange('POST /api/v2/webhooks/{id}/replay', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/v2/webhooks') }),
  );
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={replay.isPending}
      onClick={() => replay.mutate({ path: { id } })}
      aria-label={name}
    >
      Send again
    </Button>
  );
}
