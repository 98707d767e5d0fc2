import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StreamState } from '#console/api/events.ts';
import { callKey } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';

/** Between two readings of the lists while jobs change all the time. */
const pauseMs = 1_000;

/** Reads every list of jobs that is shown again whenever a job has changed, at most every second. */
export function useJobChanges(): StreamState {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const read = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = () => {
    timer.current = undefined;
    read.current = Date.now();
    void client.invalidateQueries({ queryKey: callKey('GET /v1/jobs') });
  };
  return useStream('/v1/jobs/events', {
    types: ['job'],
    onEvent: () => {
      timer.current ??= setTimeout(readAgain, Math.max(0, read.current + pauseMs - Date.now()));
    },
  });
}
