import { type Helper, startHelper } from '#bench/lib/calls.ts';
import type { PeerName } from '#bench/peers/peers.ts';

/** Environment of a process that the benchmark starts. */
export type Env = Readonly<Record<string, string>>;

/** A process that adds trivial jobs with one of the peers; ours is a whole API process without HTTP. */
export async function startProducer(env: Env, peer: PeerName): Promise<Helper> {
  return await startHelper(new URL('./producer.ts', import.meta.url), env, [peer]);
}

/** A process that runs trivial jobs with one of the peers, as many at once as `concurrency` says. */
export async function startConsumer(env: Env, peer: PeerName, concurrency: number): Promise<Helper> {
  return await startHelper(new URL('./consumer.ts', import.meta.url), env, [peer, String(concurrency)]);
}
