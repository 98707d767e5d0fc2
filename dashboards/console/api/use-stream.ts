import { useEffect, useEffectEvent, useState } from 'react';
import { endStream, follow, type StreamEvent, type StreamState } from './events.ts';

export interface Following {
  /** Types of events that are wanted; `snapshot` and `reset` come always. */
  readonly types: readonly string[];
  readonly onEvent: (event: StreamEvent) => void;
  /** Types after which there is nothing more: the stream is closed then. */
  readonly last?: readonly string[];
  /** Checks whether an event is none of a history that is known: the end of an earlier run is not the last event. */
  readonly isNews?: (event: StreamEvent) => boolean;
}

/** Follows a stream while the component is there; null follows nothing. Says how the connection is. */
export function useStream(
  path: string | null,
  { types, onEvent, last = [], isNews = () => true }: Following,
): StreamState {
  const [state, setState] = useState<StreamState>('opening');
  const hear = useEffectEvent(onEvent);
  const isNew = useEffectEvent(isNews);
  const wanted = types.join(' ');
  const ending = last.join(' ');
  useEffect(() => {
    if (path === null) return undefined;
    return follow(path, wanted.split(' ').filter(Boolean), {
      onState: setState,
      onEvent: (event) => {
        const isLast = ending.split(' ').includes(event.type) && isNew(event);
        hear(event);
        if (isLast) endStream(path);
      },
    });
  }, [path, wanted, ending]);
  return state;
}
