import type { OnFailure } from '#src/system/log-failure.ts';
import type { Bus } from '#src/system/redis/bus.ts';
import { catchUp, type Delivery, endIfDone, offer } from './catch-up.ts';
import { type Feed, openFeed } from './channel-feed.ts';
import { isIn } from './follower.ts';
import { batchOf } from './stream-message.ts';
import type { Cursor, Position, StreamKind, StreamSource } from './stream-source.ts';

/** The channels that this process follows. */
export interface Feeds {
  /** The feed of a source, opened by its first holder, for whose cursor; counts one holder more. */
  readonly hold: (source: StreamSource, cursor: Cursor | null) => Feed;
  /** Compares feeds with their ledger, all of them where none is named. One query per kind of stream. */
  readonly check: (only?: Iterable<Feed>) => Promise<void>;
}

/** @param feeds by channel */
export function openFeeds(bus: Bus, feeds: Map<string, Feed>, delivery: Delivery, onFailure: OnFailure): Feeds {
  const restart = (feed: Feed, reason: string) => {
    for (const follower of feed.followers) {
      follower.reset = reason;
      if (isIn(follower, 'live')) void catchUp(delivery, feed, follower);
    }
  };

  const compare = (feed: Feed, position: Position | undefined) => {
    if (!position) for (const follower of feed.followers) delivery.end(feed, follower, 'gone');
    if (!position) return;
    const foreign = position.epoch !== feed.head.epoch;
    if (foreign || position.n > feed.head.n) feed.head = position;
    if (foreign) restart(feed, 'epoch');
    for (const follower of feed.followers) {
      if (isIn(follower, 'live') && follower.last < feed.head.n) void catchUp(delivery, feed, follower);
      endIfDone(delivery, feed, follower);
    }
  };

  const check: Feeds['check'] = async (only = feeds.values()) => {
    for (const [kind, group] of Map.groupBy(only, ({ source }): StreamKind => source.kind)) {
      const positions = await kind.positions(group.map(({ source }) => source.key));
      for (const feed of group) compare(feed, positions.get(feed.source.key));
    }
  };

  // channels come back one by one after a lost connection; they are compared together
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

  return {
    hold: (source, cursor) => {
      const limit = delivery.bounds.replayEvents + 1;
      const hooks = { flush, newEpoch: (one: Feed) => restart(one, 'epoch'), resubscribed, end: delivery.end, limit };
      const feed = feeds.get(source.channel) ?? openFeed(bus, source, cursor, hooks);
      feeds.set(source.channel, feed);
      feed.holders++;
      return feed;
    },
    check,
  };
}
