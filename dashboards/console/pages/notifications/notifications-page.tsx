import { useState } from 'react';
import { Page } from '#console/ui/page.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { EndpointsPanel } from './endpoints-panel.tsx';
import { WorkWebhooksPanel } from './work-webhooks-panel.tsx';

/** Addresses that are notified of what happens, and each message to them. */
export function NotificationsPage() {
  const [endpoint, setEndpoint] = useState<string | null>(null);
  return (
    <Page
      title="Notifications"
      lead="Addresses that are notified of what happens: failed jobs, decisions that wait, budgets, market signals."
      actions={<AddEndpoint />}
    >
      <EndpointsPanel onShow={setEndpoint} />
      <DeliveriesPanel endpoint={endpoint} onAll={() => setEndpoint(null)} />
      <WorkWebhooksPanel />
    </Page>
  );
}
