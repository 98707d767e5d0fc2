/** Hands that the consumers of a process share: each runs one job at a time. */
export interface Hands {
  /** Resolves to true once a hand is free, which is then the caller's to give back; to false once they are closed. */
  readonly take: () => Promise<boolean>;
  readonly give: () => void;
  /** Ends every wait, and refuses each later one. */
  readonly close: () => void;
}

/** Opens so many hands. Who waits longest gets the next one that is free. */
export function openHands(count: number): Hands {
  let free = count;
  let isClosed = false;
  const waiting: ((isTaken: boolean) => void)[] = [];
  return {
    take: async () => {
      if (isClosed) return false;
      if (free === 0) return await new Promise((resolve) => waiting.push(resolve));
      free--;
      return true;
    },
    give: () => {
      const next = waiting.shift();
      if (next) next(true);
      else free++;
    },
    close: () => {
      isClosed = true;
      for (const refuse of waiting.splice(0)) refuse(false);
    },
  };
}
