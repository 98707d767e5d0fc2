/** One queue system, as the benchmark uses it. */
export interface Peer {
  readonly openProducer: () => Promise<{ readonly add: () => Promise<unknown> }>;
  /** Consumes trivial jobs; `done` says how many have ended so far. */
  readonly openConsumer: (concurrency: number) => Promise<{ readonly done: () => number | Promise<number> }>;
}
