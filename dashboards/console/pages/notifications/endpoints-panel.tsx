import { Button, Group } from '@mantine/core';
import { useCall } from '#console/api/use-call.ts';
import { DataTable } from '#console/ui/data/data-table.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Answered } from '#console/ui/states/answered.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { Time } from '#console/ui/time.tsx';
import type { Endpoint } from './draft.ts';
import { EndpointActions } from './endpoint-actions.tsx';

/** Endpoints of the visitor, and what can be done with each. */
export function EndpointsPanel({ onShow }: { readonly onShow: (endpoint: string) => void }) {
  const endpoints = useCall('GET /v1/webhook-endpoints', {});
  return (
    <Panel title="Endpoints" flush>
      <Answered query={endpoints} what="endpoints">
        {({ data }) => (
          <DataTable
            label="Endpoints"
            rows={data}
            keyOf={({ id }) => id}
            empty={
              <Empty title="Nothing is notified yet">
                Add an address above: a receiver of webhooks, a channel of Slack, Discord or Teams, or a mailbox.
              </Empty>
            }
            columns={[
              {
                title: 'Endpoint',
                cell: ({ title, url }) => (
                  <>
                    {title}
                    <div className="mono quiet">{hostOf(url)}</div>
                  </>
                ),
              },
              { title: 'State', cell: (one) => <EndpointState of={one} /> },
              { title: 'Format', from: 'md', cell: ({ format }) => format },
              {
                title: 'Events',
                from: 'lg',
                cell: ({ events, every_owner: isWide }) => (
                  <span className="mono">{`${events.join(', ')}${isWide ? ', of all owners' : ''}`}</span>
                ),
              },
              {
                title: 'Actions',
                cell: (one) => (
                  <Group gap={6}>
                    <Button size="compact-xs" variant="default" onClick={() => onShow(one.id)}>
                      Deliveries
                    </Button>
                    <EndpointActions of={one} />
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Answered>
    </Panel>
  );
}

function EndpointState({ of }: { readonly of: Endpoint }) {
  if (!of.enabled)
    return (
      <>
        <StateBadge state="disabled" tone={of.disabled_why === null ? 'wait' : 'bad'} />
        {of.disabled_why !== null && <div className="quiet">{of.disabled_why}</div>}
      </>
    );
  return of.failing_since === null ? (
    <StateBadge state="enabled" tone="ok" />
  ) : (
    <>
      <StateBadge state="failing" tone="bad" />
      {of.rests_until !== null && (
        <div className="quiet">
          rests until <Time at={of.rests_until} />
        </div>
      )}
    </>
  );
}

/** Place of an address without its path, which may hold a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.host || url.replace(/^mailto:/, '');
}
