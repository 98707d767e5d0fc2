import type { Peer } from './peer.ts';

/** Loaded by name, so that a process holds only the system it measures. */
export const peers = {
  proofline: async () => (await import('./proofline.ts')).peer,
  bullmq: async () => (await import('./bullmq.ts')).peer,
  'graphile-worker': async () => (await import('./graphile-worker.ts')).peer,
  'graphile-worker, local queue': async () => (await import('./graphile-worker.ts')).peerWithLocalQueue,
  'pg-boss': async () => (await import('./pg-boss.ts')).peer,
} as const satisfies Record<string, () => Promise<Peer>>;

export type PeerName = keyof typeof peers;

export async function loadPeer(name: string | undefined): Promise<Peer> {
  const load = (peers as Readonly<Record<string, (() => Promise<Peer>) | undefined>>)[name ?? ''];
  if (!load) throw new Error(`expected one of ${Object.keys(peers).join(', ')}, got ${name}`);
  return await load();
}
