import type { Bus } from '#src/system/redis/bus.ts';
import { releaseWithheld, write } from './catch-up.ts';
import { type Feed, releaseFeed } from './channel-feed.ts';
import { openFeeds } from './feeds.ts';
import { isIn, newFollower, type Sink } from './follower.ts';
import { type FollowerOptions, openFollowers, type Started } from './followers.ts';
import { type Holders, once, openHolders } from './holders.ts';
import { controlMessage } from './stream-message.ts';
import type { Cursor, Filter, Position, StreamSource } from './stream-source.ts';

/** Sinks cut off a client that does not read 1 s after the end; this is for those of which nothing is heard. */
const shutdownMs = 3_000;

export interface HubOptions extends FollowerOptions {
  readonly bus: Bus;
  /** Open streams of one key. */
  readonly perKey: number;
}

/** A slot at a stream: nothing published after it was given can be missed. Must be started or released. */
export interface StreamSlot {
  readonly position: Position;
  /**
   * Replays what the cursor has not seen (without one everything, or a snapshot), then follows what the filter takes.
   */
  readonly start: (sink: Sink, keyId: string | null, filter?: Filter | null) => Started;
  readonly release: () => void;
}

export interface Hub {
  readonly bus: Bus;
  /** Aborted when this process stops: requests that wait answer with what there is. */
  readonly stopping: AbortSignal;
  /**
   * Waits while Redis is away; rejects with AppError `quota_exceeded` for a key with too many streams, and when the
   * ledger cannot be read.
   */
  readonly reserve: (source: StreamSource, cursor: Cursor | null, keyId?: string | null) => Promise<StreamSlot>;
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

/** The streams of this process: feeds bring messages in, followers take them out to clients. */
export function openHub(options: HubOptions): Hub {
  const { bus, onFailure } = options;
  const feeds = new Map<string, Feed>();
  const stopping = new AbortController();
  const holders = openHolders(options.perKey);
  const followers = openFollowers(options, feeds);
  const { hold, check } = openFeeds(bus, feeds, followers.delivery, onFailure);

  const reserve: Hub['reserve'] = async (source, cursor, owner = null) => {
    if (stopping.signal.aborted) throw new Error('this process is stopping');
    const free = holders.takePlace(owner);
    const feed = hold(source, cursor);
    const release = once(() => {
      free();
      releaseFeed(feeds, feed);
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
        followers.start(feed, newFollower(sink, keyId, cursor?.n ?? 0, filter), cursor, free),
    };
  };

  return {
    bus,
    stopping: stopping.signal,
    reserve,
    check: () => check(),
    heartbeat: () => {
      for (const feed of feeds.values()) {
        for (const follower of feed.followers) {
          follower.sink.heartbeat();
          releaseWithheld(followers.delivery, feed, follower);
          if (feed.source.kind.snapshotFirst && isIn(follower, 'live')) {
            const message = controlMessage('heartbeat', {}, `${feed.head.epoch}.${follower.last}`);
            write(followers.delivery, feed, follower, message);
          }
        }
      }
    },
    hold: holders.hold,
    keyIds: () => [...new Set([...followers.all().flatMap(({ keyId }) => keyId ?? []), ...holders.keyIds()])],
    closeKey: (keyId, reason) => {
      holders.closeKey(keyId, reason);
      followers.endAll((follower) => follower.keyId === keyId, 'revoked', reason);
    },
    shutdown: async () => {
      stopping.abort();
      holders.closeAll('the process stops');
      followers.endAll(() => true, 'shutdown');
      // a connection whose end is never reported must not keep the process
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        followers.destroy();
        late.resolve();
      }, shutdownMs);
      await Promise.race([late.promise, Promise.all([holders.empty(), followers.allClosed()])]);
      clearTimeout(timer);
    },
    size: () => followers.all().length,
  };
}
