import { createClient } from '@proofline/client';
import { useJob, useStream } from '@proofline/react';
import { createElement, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// what a browser has; our own programs are none
const { location, document } = globalThis as unknown as {
  readonly location: { readonly origin: string };
  readonly document: { readonly body: Parameters<typeof createRoot>[0] };
};

// a page of somebody else: one job, and the stream of all
const client = createClient({ url: location.origin, key: 'sk-1', backoff: 5 });

function Page() {
  const [id, setId] = useState<string | null>(null);
  const { state, progress, result, error, isLive } = useJob<{ url: string }>(client, id);
  const { events } = useStream(client, '/v1/jobs/events', { keep: 2 });
  return createElement(
    'main',
    null,
    createElement('button', { onClick: () => setId('job-1') }, 'follow'),
    createElement('button', { onClick: () => setId(null) }, 'leave'),
    createElement('p', { id: 'job' }, JSON.stringify({ state, progress, result, error, isLive })),
    createElement('p', { id: 'stream' }, events.map(({ id: cursor }) => cursor).join(' ')),
  );
}

createRoot(document.body).render(createElement(StrictMode, null, createElement(Page)));
