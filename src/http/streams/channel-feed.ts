import type { Bus, Subscription } from '#src/system/redis/bus.ts';
import type { EndReason, Follower } from './follower.ts';
import { type Batch, durableMessage, type StreamMessage, transientMessage } from './stream-message.ts';
import type { Cursor, Opening, Position, StreamSource } from './stream-source.ts';

/** One channel that this process follows, for all its clients. */
export interface Feed {
  readonly source: StreamSource;
  readonly followers: Set<Follower>;
  /** The newest position known here, from messages and from the ledger. */
  head: Position;
  /** Messages of this turn of the event loop; written together at its end. */
  pending: StreamMessage[];
  /** Replays being read, by cursor: clients that come back together share one query. */
  readonly replays: Map<string, Promise<Batch | null>>;
  /** Events that the read of the position brought along, until the first client has taken them. */
  opening: Beginning | null;
  /** Clients and reservations; at zero the channel is left. */
  holders: number;
  readonly subscription: Subscription;
  /** Settles when nothing published from then on can be missed and `head` is known. */
  readonly ready: Promise<void>;
}

interface Beginning extends Opening {
  /** Number that these events come after. */
  readonly after: number;
}

/** Functions of the hub that feeds call. */
export interface FeedHooks {
  readonly flush: (feed: Feed) => void;
  readonly newEpoch: (feed: Feed) => void;
  readonly resubscribed: (feed: Feed) => void;
  readonly end: (feed: Feed, follower: Follower, reason: EndReason) => void;
  /** Most events that one replay reads. */
  readonly limit: number;
}

const nowhere: Position = { epoch: '', n: 0, ended: false };

/** @param cursor of the client that it is opened for */
export function openFeed(bus: Bus, source: StreamSource, cursor: Cursor | null, hooks: FeedHooks): Feed {
  const subscription = bus.subscribe(source.channel, {
    message: (text) => receive(feed, text, hooks),
    resubscribed: () => hooks.resubscribed(feed),
  });
  const feed: Feed = {
    source,
    followers: new Set(),
    head: nowhere,
    pending: [],
    replays: new Map(),
    opening: null,
    holders: 0,
    subscription,
    ready: locate(subscription, source, cursor?.n ?? 0, hooks.limit, (position, opening) => {
      // what arrived while the position was read may be newer than it
      if (feed.head.epoch !== position.epoch || feed.head.n < position.n) feed.head = position;
      feed.opening = opening;
    }),
  };
  // a caller that waits for it gets the failure; without one it is no crash
  feed.ready.catch(() => {});
  return feed;
}

/** Counts one holder less; without any the channel is left. */
export function releaseFeed(feeds: Map<string, Feed>, feed: Feed): void {
  feed.holders--;
  if (feed.holders > 0) return;
  if (feeds.get(feed.source.channel) === feed) feeds.delete(feed.source.channel);
  feed.subscription.close();
}

async function locate(
  subscription: Subscription,
  { kind, key, open }: StreamSource,
  after: number,
  limit: number,
  found: (position: Position, opening: Beginning | null) => void,
): Promise<void> {
  await subscription.ready;
  if (!open) {
    found((await kind.positions([key])).get(key) ?? nowhere, null);
    return;
  }
  const opening = await open(after, limit);
  found(opening?.position ?? nowhere, opening && { ...opening, after });
}

function receive(feed: Feed, text: string, hooks: FeedHooks): void {
  const message = decode(feed.source, text);
  if (!message) return;
  if (message.n !== null) {
    const foreign = message.epoch !== feed.head.epoch;
    if (foreign || message.n > feed.head.n) feed.head = { epoch: message.epoch, n: message.n, ended: message.ends };
    if (foreign) feed.pending = [];
    if (foreign) hooks.newEpoch(feed);
  } else if (feed.head.ended) {
    // it was on its way when the last event came; that one is the last for every client
    return;
  }
  feed.pending.push(message);
  // one write per client and turn of the event loop: a write per message collapses at some hundred thousand a second
  if (feed.pending.length === 1) setImmediate(hooks.flush, feed);
}

/** The message in a text from the channel; null for one that keeps no contract, which must not end the process. */
function decode({ kind }: StreamSource, text: string): StreamMessage | null {
  try {
    const { epoch, n, type, at, key, data } = JSON.parse(text) as Record<string, unknown>;
    if (typeof type !== 'string' || !/^[\w.-]+$/.test(type)) return null;
    const time = typeof at === 'string' ? at : new Date().toISOString();
    if (typeof n === 'number' && typeof epoch === 'string')
      return durableMessage(kind, epoch, { n, type, at: time, data });
    return transientMessage(type, typeof key === 'string' ? key : '', time, data);
  } catch {
    return null;
  }
}
