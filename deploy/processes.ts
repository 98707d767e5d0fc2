import { fleets } from '#queues/fleets.ts';

/** Number of processes of a kind, the resources of each, and the bounds from which on there should be more. */
export interface Scale {
  readonly least: number;
  readonly most: number;
  /**
   * Age of the longest waiting job, and time until all that waits is done, from which on there are too few, in seconds.
   */
  readonly oldest: number;
  readonly drain: number;
  /** Requested cores; requested and allowed memory, in MiB. */
  readonly cores: number;
  readonly memory: readonly [requested: number, allowed: number];
  readonly settings: Readonly<Record<string, string>>;
}

/*
 * Memory: an API process has 300 to 360 MB after 200,000 jobs, 620 once it has bundled the page /verify, and 29 kB for each
 * of 5,000 followers; a worker 240 to 270, and on top of it THREAD_MEMORY_MB for every thread, of which there are
 * THREADS_MAX and one for long work. Cores: a job costs the API 52 µs and its worker 76 µs of a core, beside what it
 * computes itself (bench/results.md).
 */
export const apiScale = {
  least: 2,
  cores: 1,
  memory: [768, 1_536],
  settings: { UNREADY_MS: '5000', DRAIN_DEADLINE_MS: '20000' },
} as const;

const waiting = { WORKER_CONCURRENCY: '50', THREADS_MAX: '1', THREAD_MEMORY_MB: '256', DRAIN_DEADLINE_MS: '30000' };
const computing = { WORKER_CONCURRENCY: '10', THREADS_MAX: '2', THREAD_MEMORY_MB: '512', DRAIN_DEADLINE_MS: '30000' };

/** A fleet that the table below does not name: one that computes, and that callers wait for. */
const usual: Scale = {
  least: 1,
  most: 10,
  oldest: 30,
  drain: 300,
  cores: 1,
  memory: [1_024, 3_072],
  settings: computing,
};

/** Fleets that scale in a way of their own. */
const scales: Readonly<Record<string, Scale>> = {
  // films are made here: minutes of a core each
  studio: { least: 1, most: 20, oldest: 60, drain: 600, cores: 2, memory: [1_024, 3_072], settings: computing },
  // waits for providers; callers wait for its answers
  platform: { least: 1, most: 20, oldest: 5, drain: 60, cores: 1, memory: [512, 2_048], settings: waiting },
  missions: { least: 1, most: 10, oldest: 10, drain: 120, cores: 0.5, memory: [512, 1_024], settings: waiting },
  // a tick of 20,000 contracts computes for about 40 ms
  analytics: { least: 1, most: 10, oldest: 5, drain: 60, cores: 2, memory: [1_024, 3_072], settings: computing },
};

/** Every fleet of queues/fleets.ts with its queues and its scale. */
export function scaledFleets(): readonly { name: string; queues: readonly string[]; scale: Scale }[] {
  return Object.entries(fleets).map(([name, queues]) => ({ name, queues, scale: scales[name] ?? usual }));
}
