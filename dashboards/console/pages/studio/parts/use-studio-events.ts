import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StreamState } from '#console/api/events.ts';
import { useStream } from '#console/api/use-stream.ts';
import { ownerEventTypes } from '#src/governance/owners/owner-event-types.ts';

/** Calls that are read anew after an event, by the first word of its type. */
const touched: Readonly<Record<string, readonly string[]>> = {
  brief: ['briefs', 'monitoring'],
  plan: ['plans', 'monitoring'],
  approval: ['approvals', 'monitoring', 'jobs', 'analyze'],
  job: ['jobs', 'monitoring', 'approvals', 'assets'],
  asset: ['assets'],
  spend: ['analyze'],
  provider: ['monitoring'],
};

/** Many events come at once, and all stored ones are sent again to a new listener: what they touch is read once. */
const GATHER_MS = 200;

/** Keeps everything of the studio that is shown as it is: what an event touches is read again. */
export function useStudioEvents(): StreamState {
  const client = useQueryClient();
  const stale = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => {
    timer.current = undefined;
    const parts = [...stale.current].map((part) => `GET /api/studio/v1/${part}`);
    stale.current.clear();
    void client.invalidateQueries({
      predicate: ({ queryKey: [name] }) => parts.some((part) => String(name).startsWith(part)),
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return useStream('/api/studio/v1/events', {
    types: ownerEventTypes,
    onEvent: ({ type }) => {
      const known = touched[type.split('.')[0] ?? ''];
      // after a new start anything may have changed
      for (const part of known ?? Object.values(touched).flat()) stale.current.add(part);
      timer.current ??= setTimeout(readAgain, GATHER_MS);
    },
  });
}
