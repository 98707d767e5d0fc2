import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StreamState } from '#console/api/events.ts';
import { callKey } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';
import { type Changed, isTouched, type ReadList } from './list-touched.ts';
import type { Filter } from './use-jobs.ts';

/** Between two readings of the lists while jobs change all the time. */
const pauseMs = 1_000;

/**
 * Reads the lists of jobs that are shown again when a job of theirs has changed, at most every second. What others do,
 * and a feed asks for several times a second, moves no list that it is not in.
 */
export function useJobChanges(): StreamState {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const read = useRef(0);
  const changed = useRef(new Map<string, Changed>());
  /** After a new start any job may have changed. */
  const isAnew = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = () => {
    const [jobs, anew] = [changed.current, isAnew.current];
    timer.current = undefined;
    read.current = Date.now();
    changed.current = new Map();
    isAnew.current = false;
    void client.invalidateQueries({
      queryKey: callKey('GET /v1/jobs'),
      predicate: ({ queryKey: [, input], state: { status, data } }) =>
        anew || status === 'pending' || isTouched(data as ReadList, (input as { readonly query: Filter }).query, jobs),
    });
  };
  return useStream('/v1/jobs/events', {
    types: ['job'],
    onEvent: ({ type, data }) => {
      if (type === 'job') changed.current.set((data as Changed).id, data as Changed);
      else isAnew.current = true;
      timer.current ??= setTimeout(readAgain, Math.max(0, read.current + pauseMs - Date.now()));
    },
  });
}
