import type { Follower } from './follower.ts';

/** Share of its bound above which a client gets no transient events until it has caught up. */
const busyShare = 0.125;

export interface Backlog {
  /** Writes, unless that would pass a bound: then false, and the client must be dropped. */
  readonly write: (follower: Follower, bytes: Buffer) => boolean;
  /** Looks again how much a client has not taken. */
  readonly measure: (follower: Follower) => void;
  readonly isBusy: (follower: Follower) => boolean;
  readonly forget: (follower: Follower) => void;
  readonly total: () => number;
}

/**
 * Bounds what clients have not taken yet: each by itself and all of the process together. Past the total the clients
 * with the most go, through `evict`, until the rest fits.
 */
export function openBacklog(
  clientBytes: number,
  totalBytes: number,
  followers: () => Iterable<Follower>,
  evict: (follower: Follower) => void,
): Backlog {
  let total = 0;

  const measure = (follower: Follower) => {
    const now = follower.sink.unwritten();
    total += now - follower.backlog;
    follower.backlog = now;
  };

  const forget = (follower: Follower) => {
    total -= follower.backlog;
    follower.backlog = 0;
  };

  // cuts off clients, the one with the most first, until the rest is below the bound
  const makeRoom = () => {
    // what was measured at a client's last write may be long taken
    for (const follower of followers()) measure(follower);
    if (total <= totalBytes) return;
    for (const follower of [...followers()].toSorted((left, right) => right.backlog - left.backlog)) {
      if (total <= totalBytes) return;
      evict(follower);
      forget(follower);
    }
  };

  // in the next turn: Node hands what was written in this one to the network at its end
  let isAsked = false;
  const makeRoomSoon = () => {
    if (isAsked) return;
    isAsked = true;
    setImmediate(() => {
      isAsked = false;
      makeRoom();
    });
  };

  return {
    write: (follower, bytes) => {
      measure(follower);
      // an empty client takes anything: one event may be larger than the bound
      if (follower.backlog > 0 && follower.backlog + bytes.length > clientBytes) return false;
      follower.sink.write(bytes);
      measure(follower);
      if (total > totalBytes) makeRoomSoon();
      return true;
    },
    measure,
    isBusy: (follower) => {
      measure(follower);
      return follower.backlog > clientBytes * busyShare;
    },
    forget,
    total: () => total,
  };
}
