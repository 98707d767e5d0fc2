import type { OnFailure } from '#src/system/log-failure.ts';
import { openBacklog } from './backlog.ts';
import { type Bounds, catchUp, type Delivery, releaseWithheld, write } from './catch-up.ts';
import { type Feed, releaseFeed } from './channel-feed.ts';
import { type EndReason, type Follower, isIn } from './follower.ts';
import { controlMessage, type StreamMessage } from './stream-message.ts';
import type { Cursor, Filter } from './stream-source.ts';

export interface FollowerOptions extends Bounds {
  /** Called with a failure that is tried again. */
  readonly onFailure: OnFailure;
  readonly clientBytes: number;
  readonly totalBytes: number;
  /** Called with +1 and -1 as clients come and go. */
  readonly onFollowers: (transport: string, change: number) => void;
  readonly onReset: (reason: string) => void;
  readonly onDropped: (transport: string) => void;
}

export interface Started {
  /** To be called when the network has taken what was written. */
  readonly drained: () => void;
  /** To be called when the connection is closed, from either side. */
  readonly closed: () => void;
  /** Settles when the client has caught up for the first time, or has ended. */
  readonly caughtUp: Promise<void>;
  /** Says something to this client alone. */
  readonly tell: (message: StreamMessage) => void;
  /** From now on another part of the stream is wanted; with `anew` its snapshot comes first. */
  readonly select: (filter: Filter | null, anew: boolean) => void;
  /** Ends the stream of a client that wants too much; says why. */
  readonly refuse: (detail: string) => void;
}

/** The clients of the streams of this process. */
export interface Followers {
  /** Delivery of messages to them. */
  readonly delivery: Delivery;
  /** Begins the stream of a client; `free` gives back its subscription slot once the connection is closed. */
  readonly start: (feed: Feed, follower: Follower, cursor: Cursor | null, free: () => void) => Started;
  /** Ends the streams of the clients that are meant, with a typed event first where the reason has one. */
  readonly endAll: (isMeant: (follower: Follower) => boolean, reason: EndReason, detail?: string) => void;
  /** Cuts the connections that are still open. */
  readonly destroy: () => void;
  /** Settles when every connection that is open now is closed. */
  readonly allClosed: () => Promise<unknown>;
  readonly all: () => readonly Follower[];
}

/** @param feeds by channel; a feed that its last client leaves is closed, and taken out */
export function openFollowers(options: FollowerOptions, feeds: Map<string, Feed>): Followers {
  const open = new Map<Follower, PromiseWithResolvers<void>>();

  const remove = (feed: Feed, follower: Follower) => {
    if (!feed.followers.delete(follower)) return;
    follower.state = 'ended';
    options.onFollowers(follower.sink.transport, -1);
    releaseFeed(feeds, feed);
  };

  const end = (feed: Feed, follower: Follower, reason: EndReason, detail: string = reason) => {
    if (isIn(follower, 'ended')) return;
    remove(feed, follower);
    if (reason === 'slow') options.onDropped(follower.sink.transport);
    const last = lastMessages[reason]?.(detail);
    if (last) follower.sink.write(last.bytes(follower.sink.transport));
    follower.sink.end(reason, detail);
    // until it is cut off its unread bytes are still ours
    if (open.has(follower)) backlog.measure(follower);
  };

  const endAll: Followers['endAll'] = (isMeant, reason, detail) => {
    for (const feed of feeds.values())
      for (const follower of feed.followers) if (isMeant(follower)) end(feed, follower, reason, detail);
  };

  // a process short of memory cannot wait for the slow to read their last message
  const evict = (slowest: Follower) => {
    for (const feed of feeds.values()) if (feed.followers.has(slowest)) end(feed, slowest, 'slow');
    slowest.sink.destroy();
  };

  const backlog = openBacklog(options.clientBytes, options.totalBytes, () => open.keys(), evict);
  const bounds = { ...options, replayBytes: Math.min(options.replayBytes, options.clientBytes) };
  const { onFailure, onReset } = options;
  const delivery: Delivery = { bounds, backlog, onFailure, end, onReset };

  const start: Followers['start'] = (feed, follower, cursor, free) => {
    const { sink } = follower;
    follower.reset = resetOf(feed, cursor) ?? follower.reset;
    const gone = Promise.withResolvers<void>();
    feed.followers.add(follower);
    open.set(follower, gone);
    options.onFollowers(sink.transport, 1);
    return {
      drained: () => {
        backlog.measure(follower);
        releaseWithheld(delivery, feed, follower);
      },
      closed: () => {
        remove(feed, follower);
        backlog.forget(follower);
        free();
        open.delete(follower);
        gone.resolve();
      },
      caughtUp: catchUp(delivery, feed, follower),
      tell: (message) => void (isIn(follower, 'ended') || write(delivery, feed, follower, message)),
      select: (wanted, anew) => {
        follower.filter = wanted;
        if (anew) follower.reset ??= 'first';
        if (anew && isIn(follower, 'live')) void catchUp(delivery, feed, follower);
      },
      refuse: (detail) => end(feed, follower, 'too_many', detail),
    };
  };

  return {
    delivery,
    start,
    endAll,
    destroy: () => {
      for (const follower of open.keys()) follower.sink.destroy();
    },
    allClosed: async () => await Promise.all([...open.values()].map(({ promise }) => promise)),
    all: () => [...open.keys()],
  };
}

/** Why a client begins with a snapshot; null where it goes on from its cursor. */
function resetOf({ source: { kind }, head }: Feed, cursor: Cursor | null): string | null {
  if (kind.current !== undefined) return 'first';
  if (!cursor) return kind.snapshotFirst ? 'first' : null;
  if (cursor.epoch !== head.epoch) return 'epoch';
  return cursor.n > head.n ? 'ahead' : null;
}

/** The typed last message of a stream that ends before its subject does. */
const lastMessages: Partial<Record<EndReason, (detail: string) => StreamMessage>> = {
  slow: (reason) => controlMessage('reset', { reason }),
  gone: (reason) => controlMessage('reset', { reason }),
  revoked: (reason) => controlMessage('revoked', { reason }),
  too_many: (detail) => controlMessage('error', { code: 'quota_exceeded', detail }),
};
