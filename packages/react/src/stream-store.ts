import { type Client, ProoflineError, type StreamEvent } from '@proofline/client';
import { openStore, type Store } from './store.ts';

/** A stream as a component shows it. */
export interface LiveStream {
  /** The newest events, oldest first; at most as many as are kept. */
  readonly events: readonly StreamEvent[];
  readonly last: StreamEvent | undefined;
  /** Why it cannot be followed; null otherwise. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** True while events come as they happen. */
  readonly isLive: boolean;
}

const nothing: LiveStream = { events: [], last: undefined, error: null, isLive: false };

/** Follows a stream while a component shows it. A `reset` takes the place of everything before it. */
export function openStreamStore(client: Client, path: string, keep: number): Store<LiveStream> {
  let after: string | undefined;
  return openStore<LiveStream>(
    nothing,
    async (set, signal) => {
      const onConnection = (isLive: boolean) => set((live) => ({ ...live, isLive }));
      for await (const event of client.stream(path, { after, signal, onConnection })) {
        after = event.id ?? after;
        set((live) => {
          const before = event.type === 'reset' ? [] : live.events;
          return { ...live, events: [...before, event].slice(-keep), last: event };
        });
      }
      set((live) => ({ ...live, isLive: false }));
    },
    (live, error) => ({
      ...live,
      isLive: false,
      error: {
        code: error instanceof ProoflineError ? error.code : 'unreachable',
        message: error instanceof Error ? error.message : String(error),
      },
    }),
  );
}

/** A stream that no component follows. */
export const noStream: Store<LiveStream> = { subscribe: () => () => {}, get: () => nothing };
