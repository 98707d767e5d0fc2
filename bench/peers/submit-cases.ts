import type { PeerName } from './peers.ts';

/** A way of submitting that is measured: so many jobs, so many of them in flight. */
export interface SubmitCase<Peer extends string = PeerName> {
  readonly name: string;
  readonly peer: Peer;
  readonly width: number;
  readonly count: number;
}

/** The other tools, each with as many in flight as serves it best. */
export const peerSubmits: readonly SubmitCase[] = [
  { name: 'bullmq add, 50 in flight', peer: 'bullmq', width: 50, count: 40_000 },
  { name: 'graphile-worker addJob, 50 in flight', peer: 'graphile-worker', width: 50, count: 4_000 },
  { name: 'pg-boss send, 50 in flight', peer: 'pg-boss', width: 50, count: 4_000 },
];
