/** Hands that the consumers of a process share: each runs one job at a time. */
export interface Hands {
  /** Takes up to so many hands of those that are free, and answers how many. */
  readonly takeFree: (most: number) => number;
  /** The same once at least one is free; 0 once they are closed. */
  readonly take: (most: number) => Promise<number>;
  readonly give: (count: number) => void;
  /** Ends every wait, and refuses each later one. */
  readonly close: () => void;
}

interface Waiting {
  readonly most: number;
  readonly resolve: (count: number) => void;
}

/** Opens so many hands. Who waits longest gets those that come free first. */
export function openHands(count: number): Hands {
  let free = count;
  let isClosed = false;
  const waiting: Waiting[] = [];
  const takeFree = (most: number): number => {
    const taken = Math.min(most, free);
    free -= taken;
    return taken;
  };
  return {
    takeFree: (most) => (isClosed ? 0 : takeFree(most)),
    take: async (most) => {
      if (isClosed) return 0;
      if (free > 0) return takeFree(most);
      return await new Promise((resolve) => waiting.push({ most, resolve }));
    },
    give: (given) => {
      free += given;
      while (free > 0 && waiting.length > 0) {
        const { most, resolve } = waiting.shift()!;
        resolve(takeFree(most));
      }
    },
    close: () => {
      isClosed = true;
      for (const { resolve } of waiting.splice(0)) resolve(0);
    },
  };
}
