import type { Client, JobHandle } from '@proofline/client';
import { useMemo, useSyncExternalStore } from 'react';
import { type LiveJob, noJob, openJobStore } from './job-store.ts';

/**
 * A job, live, for as long as the component is there: its state, progress, result and error. Null for no job yet. The
 * client must be the same at every call.
 */
export function useJob<Result = unknown>(client: Client, job: string | JobHandle<Result> | null): LiveJob<Result> {
  const id = typeof job === 'object' ? (job?.id ?? null) : job;
  const store = useMemo(() => (id === null ? noJob : openJobStore<Result>(client, id)), [client, id]);
  return useSyncExternalStore<LiveJob<Result>>(store.subscribe, store.get, store.get);
}
