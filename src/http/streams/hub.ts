import type { OnFailure } from '#src/system/log-failure.ts';
import type { Bus } from '#src/system/redis/bus.ts';
import { openBacklog } from './backlog.ts';
import { type Bounds, catchUp, type Delivery, endIfDone, offer, releaseWithheld, write } from './catch-up.ts';
import { type Feed, openFeed } from './channel-feed.ts';
import { type EndReason, type Follower, isIn, newFollower, type Sink } from './follower.ts';
import { type Holders, once, openHolders } from './holders.ts';
import { batchOf, controlMessage, type StreamMessage } from './stream-message.ts';
import type { Cursor, Filter, Position, StreamKind, StreamSource } from './stream-source.ts';

/** Sinks cut off a client that does not read 1 s after the end; this is for those of which nothing is heard. */
const shutdownMs = 3_000;

export interface HubOptions extends Bounds {
  readonly bus: Bus;
  /** Is told of what failed and is tried again. */
  readonly onFailure: OnFailure;
  readonly clientBytes: number;
  readonly totalBytes: number;
  /** Open streams of one key. */
  readonly perKey: number;
  /** Called with +1 and -1 as clients come and go. */
  readonly onFollowers: (transport: string, change: number) => void;
  readonly onReset: (reason: string) => void;
  readonly onDropped: (transport: string) => void;
}

/** A place at a stream: nothing published after it was given can be missed. Must be started or released. */
export interface Seat {
  readonly position: Position;
  /** Replays what the cursor has not seen (without one everything, or a snapshot), then follows what the filter takes. */
  readonly start: (sink: Sink, keyId: string | null, filter?: Filter | null) => Started;
  readonly release: () => void;
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

export interface Hub {
  readonly bus: Bus;
  /** Aborted when this process stops: whoever waits answers with what there is. */
  readonly stopping: AbortSignal;
  /** Waits while Redis is away; rejects with AppError `quota_exceeded` for a key with too many streams, and when the ledger cannot be asked. */
  readonly reserve: (source: StreamSource, cursor: Cursor | null, keyId?: string | null) => Promise<Seat>;
  /** Compares every stream with its ledger: a lost PUBLISH is invisible otherwise. One query per kind of stream. */
  readonly check: () => Promise<void>;
  readonly heartbeat: () => void;
  /** Takes one of a key's streams for an answer that goes on by itself. @throws AppError `quota_exceeded` */
  readonly hold: Holders['hold'];
  /** Keys with open streams. */
  readonly keyIds: () => readonly string[];
  /** Ends every stream of a key, with a typed event first. */
  readonly closeKey: (keyId: string, reason: string) => void;
  /** Ends every stream; new ones are refused. Resolves when the connections are closed, after 3 s at the latest. */
  readonly shutdown: () => Promise<void>;
  readonly size: () => number;
}

export function openHub(options: HubOptions): Hub {
  const { bus, onFailure } = options;
  const feeds = new Map<string, Feed>();
  const open = new Map<Follower, PromiseWithResolvers<void>>();
  const stopping = new AbortController();

  const holders = openHolders(options.perKey);

  const leave = (feed: Feed) => {
    feed.holders--;
    if (feed.holders > 0) return;
    if (feeds.get(feed.source.channel) === feed) feeds.delete(feed.source.channel);
    feed.subscription.close();
  };

  const remove = (feed: Feed, follower: Follower) => {
    if (!feed.followers.delete(follower)) return;
    follower.state = 'ended';
    options.onFollowers(follower.sink.transport, -1);
    leave(feed);
  };

  const end = (feed: Feed, follower: Follower, reason: EndReason, detail: string = reason) => {
    if (isIn(follower, 'ended')) return;
    remove(feed, follower);
    if (reason === 'slow') options.onDropped(follower.sink.transport);
    const farewell = farewells[reason]?.(detail);
    if (farewell) follower.sink.write(farewell.bytes(follower.sink.transport));
    follower.sink.end(reason, detail);
    // until it is cut off its unread bytes are still ours
    if (open.has(follower)) backlog.measure(follower);
  };

  // a process short of memory cannot wait for the slow to read their farewell
  const evict = (slowest: Follower) => {
    for (const feed of feeds.values()) if (feed.followers.has(slowest)) end(feed, slowest, 'slow');
    slowest.sink.destroy();
  };

  const backlog = openBacklog(options.clientBytes, options.totalBytes, () => open.keys(), evict);
  const bounds = { ...options, replayBytes: Math.min(options.replayBytes, options.clientBytes) };
  const delivery: Delivery = { bounds, backlog, onFailure, end, onReset: options.onReset };

  const restart = (feed: Feed, reason: string) => {
    for (const follower of feed.followers) {
      follower.reset = reason;
      if (isIn(follower, 'live')) void catchUp(delivery, feed, follower);
    }
  };

  const compare = (feed: Feed, position: Position | undefined) => {
    if (!position) for (const follower of feed.followers) end(feed, follower, 'gone');
    if (!position) return;
    const foreign = position.epoch !== feed.head.epoch;
    if (foreign || position.n > feed.head.n) feed.head = position;
    if (foreign) restart(feed, 'epoch');
    for (const follower of feed.followers) {
      if (isIn(follower, 'live') && follower.last < feed.head.n) void catchUp(delivery, feed, follower);
      endIfDone(delivery, feed, follower);
    }
  };

  const check = async (only: Iterable<Feed> = feeds.values()) => {
    for (const [kind, group] of Map.groupBy(only, ({ source }): StreamKind => source.kind)) {
      const positions = await kind.positions(group.map(({ source }) => source.key));
      for (const feed of group) compare(feed, positions.get(feed.source.key));
    }
  };

  // channels come back one by one after a lost connection; they are asked for together
  let returned = new Set<Feed>();
  const resubscribed = (feed: Feed) => {
    returned.add(feed);
    if (returned.size > 1) return;
    setImmediate(() => {
      const batch = returned;
      returned = new Set();
      check(batch).catch((error: unknown) =>
        onFailure(error, {}, 'streams could not be compared after a lost connection'),
      );
    });
  };

  const flush = (feed: Feed) => {
    const batch = batchOf(feed.pending);
    feed.pending = [];
    for (const follower of feed.followers) offer(delivery, feed, follower, batch);
  };

  const start = (feed: Feed, follower: Follower, cursor: Cursor | null, leavePlace: () => void): Started => {
    const { sink } = follower;
    if (!cursor && feed.source.kind.snapshotFirst) follower.reset = 'first';
    if (cursor && cursor.epoch !== feed.head.epoch) follower.reset = 'epoch';
    else if (cursor && cursor.n > feed.head.n) follower.reset = 'ahead';
    if (feed.source.kind.current !== undefined) follower.reset = 'first';
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
        leavePlace();
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
    bus,
    stopping: stopping.signal,
    reserve: async (source, cursor, owner = null) => {
      if (stopping.signal.aborted) throw new Error('this process is stopping');
      const leavePlace = holders.takePlace(owner);
      const feed =
        feeds.get(source.channel) ??
        openFeed(bus, source, { flush, newEpoch: (one) => restart(one, 'epoch'), resubscribed, end });
      feeds.set(source.channel, feed);
      feed.holders++;
      const release = once(() => {
        leavePlace();
        leave(feed);
      });
      try {
        await feed.ready;
        // another process may have shown this client an event that has not reached us yet
        if (cursor && cursor.epoch === feed.head.epoch && cursor.n > feed.head.n) await check([feed]);
      } catch (error) {
        release();
        // a feed that never opened must not be found by the next caller
        if (feeds.get(source.channel) === feed) feeds.delete(source.channel);
        throw error;
      }
      return {
        position: feed.head,
        release,
        start: (sink, keyId, filter = null) =>
          start(feed, newFollower(sink, keyId, cursor?.n ?? 0, filter), cursor, leavePlace),
      };
    },
    check: () => check(),
    heartbeat: () => {
      for (const feed of feeds.values()) {
        for (const follower of feed.followers) {
          follower.sink.heartbeat();
          releaseWithheld(delivery, feed, follower);
          if (feed.source.kind.snapshotFirst && isIn(follower, 'live'))
            write(delivery, feed, follower, controlMessage('heartbeat', {}, `${feed.head.epoch}.${follower.last}`));
        }
      }
    },
    hold: holders.hold,
    keyIds: () => [...new Set([...[...open.keys()].flatMap(({ keyId }) => keyId ?? []), ...holders.keyIds()])],
    closeKey: (keyId, reason) => {
      holders.closeKey(keyId, reason);
      for (const feed of feeds.values()) {
        for (const follower of feed.followers) if (follower.keyId === keyId) end(feed, follower, 'revoked', reason);
      }
    },
    shutdown: async () => {
      stopping.abort();
      holders.closeAll('the process stops');
      for (const feed of feeds.values()) for (const follower of feed.followers) end(feed, follower, 'shutdown');
      // a connection whose end nobody reports must not keep the process
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        for (const follower of open.keys()) follower.sink.destroy();
        late.resolve();
      }, shutdownMs);
      await Promise.race([
        late.promise,
        Promise.all([holders.empty(), ...[...open.values()].map(({ promise }) => promise)]),
      ]);
      clearTimeout(timer);
    },
    size: () => open.size,
  };
}

/** The typed last word of a stream that ends before its subject does. */
const farewells: Partial<Record<EndReason, (detail: string) => StreamMessage>> = {
  slow: (reason) => controlMessage('reset', { reason }),
  gone: (reason) => controlMessage('reset', { reason }),
  revoked: (reason) => controlMessage('revoked', { reason }),
  too_many: (detail) => controlMessage('error', { code: 'quota_exceeded', detail }),
};
