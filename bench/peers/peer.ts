export interface Producer {
  readonly add: () => Promise<unknown>;
  /** Adds one of a group, where the system has groups. */
  readonly addOf?: (group: string) => Promise<unknown>;
  /** Adds so many by one call, where the system has a way to. */
  readonly addMany?: (count: number) => Promise<unknown>;
}

/** One queue system, as the benchmark uses it. */
export interface Peer {
  readonly openProducer: () => Promise<Producer>;
  /** Consumes trivial jobs, of another queue of theirs where one is named; `done` says how many have ended so far. */
  readonly openConsumer: (
    concurrency: number,
    queue?: string,
  ) => Promise<{ readonly done: () => number | Promise<number> }>;
}
