import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StreamState } from '#console/api/events.ts';
import { callKey } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

/** Between two readings while jobs of schedules change all the time. */
const pauseMs = 1_000;

/** Reads schedules again when a job of theirs has changed, at most every second. */
export function useScheduleChanges(): StreamState {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = () => {
    timer.current = undefined;
    void client.invalidateQueries({ queryKey: callKey('GET /v1/schedules') });
    void client.invalidateQueries({ queryKey: callKey('GET /v1/schedules/{name}') });
  };
  return useStream('/v1/jobs/events', {
    types: ['job'],
    onEvent: ({ type, data }) => {
      // the key of a run names its schedule and its time
      const key = type === 'job' ? (data as { readonly idempotency_key: string | null }).idempotency_key : 'schedule ';
      if (key?.startsWith('schedule ')) timer.current ??= setTimeout(readAgain, pauseMs);
    },
  });
}
