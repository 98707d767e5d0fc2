import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StreamEvent } from '#console/api/events.ts';
import { callKey, useCall } from '#console/api/use-call.ts';
import { useStream } from '#console/api/use-stream.ts';
import { eventTypes } from './event-words.ts';

/** Time in which events are gathered, so that they cause one read. */
const gatherMs = 50;

/** A mission and what happened to it, from its first event to its last, as they happen. */
export function useMission(id: string) {
  const client = useQueryClient();
  const key = callKey('GET /api/v1/missions/{id}', { path: { id } });
  const mission = useCall('GET /api/v1/missions/{id}', { path: { id } });
  const [events, setEvents] = useState<readonly StreamEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: key });
    }, gatherMs);
  };
  const connection = useStream(mission.data ? mission.data.links.events : null, {
    types: eventTypes,
    last: ['mission.closed'],
    onEvent: (event) => {
      // after a reset the history is not sent again: earlier events stay
      if (event.type !== 'reset' && event.type !== 'snapshot')
        setEvents((before) => (before.some((one) => one.id === event.id) ? before : [...before, event]));
      readAgain();
      if (event.type.startsWith('receipt.') || event.type === 'mission.closed')
        void client.invalidateQueries({ queryKey: ['verified receipt', id] });
    },
  });
  return { mission, events, connection };
}
