import type { Client } from '@proofline/client';
import { useMemo, useSyncExternalStore } from 'react';
import { type LiveStream, noStream, openStreamStore } from './stream-store.ts';

export interface StreamOptions {
  /** Number of events that are kept; 100 by default. */
  readonly keep?: number;
}

/**
 * Any stream of the server, such as `/v1/jobs/events`, live, for as long as the component is there. Null for none. The
 * client must be the same at every call.
 */
export function useStream(client: Client, path: string | null, { keep = 100 }: StreamOptions = {}): LiveStream {
  const store = useMemo(() => (path === null ? noStream : openStreamStore(client, path, keep)), [client, path, keep]);
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
