import type { OnFailure } from '#src/system/log-failure.ts';
import type { Backlog } from './backlog.ts';
import type { Feed } from './channel-feed.ts';
import { type EndReason, type Follower, forget, isIn, keep } from './follower.ts';
import { type Batch, batchOf, controlMessage, durableMessage, type StreamMessage } from './stream-message.ts';

export interface Bounds {
  /** Most events and bytes that are replayed; more is a `reset`. */
  readonly replayEvents: number;
  readonly replayBytes: number;
  /** Most bytes kept while a client catches up; more and it starts over. */
  readonly bufferBytes: number;
  /** Pause after the ledger could not be read. */
  readonly retryMs: number;
}

/** Delivery of events from a feed to its followers. */
export interface Delivery {
  readonly bounds: Bounds;
  readonly backlog: Backlog;
  readonly onFailure: OnFailure;
  readonly end: (feed: Feed, follower: Follower, reason: EndReason) => void;
  readonly onReset: (reason: string) => void;
}

/** Reads of the ledger without progress after which only a snapshot can help. */
const patience = 3;

/** Brings a client from its cursor to the head of the feed, then lets it take what arrives. Never rejects. */
export async function catchUp(delivery: Delivery, feed: Feed, follower: Follower): Promise<void> {
  follower.state = 'catching';
  let stuck = 0;
  while (isIn(follower, 'catching')) {
    const before = follower.last;
    try {
      await (follower.reset
        ? sendSnapshot(delivery, feed, follower, follower.reset)
        : sendReplay(delivery, feed, follower));
    } catch (error) {
      delivery.onFailure(error, { channel: feed.source.channel }, 'a stream could not be read again; trying on');
      await new Promise((resolve) => setTimeout(resolve, delivery.bounds.retryMs).unref());
      continue;
    }
    if (!isIn(follower, 'catching')) return;
    if (follower.overflowed) forget(follower, false);
    else if (!follower.reset && takeBuffer(delivery, feed, follower)) goLive(delivery, feed, follower);
    stuck = follower.last === before ? stuck + 1 : 0;
    if (stuck >= patience) follower.reset ??= 'gap';
  }
}

async function sendReplay(delivery: Delivery, feed: Feed, follower: Follower): Promise<void> {
  const batch = await replay(feed, follower.last, delivery.bounds);
  if (!isIn(follower, 'catching') || follower.reset) return;
  if (!batch) {
    follower.reset = 'too_long';
    return;
  }
  if (!batch.run) return;
  // the ledger forgets old events; a hole is reported, never skipped
  if (!batch.dense || batch.run.first !== follower.last + 1) follower.reset = 'gap';
  else if (deliver(delivery, feed, follower, batch)) follower.last = batch.run.last;
}

/** Events after `after` as one batch, null when they are too many; readers with the same cursor share one query. */
function replay(feed: Feed, after: number, { replayEvents, replayBytes }: Bounds): Promise<Batch | null> {
  const { epoch } = feed.head;
  const name = `${epoch}.${after}`;
  const running = feed.replays.get(name);
  if (running) return running;
  const { opening } = feed;
  feed.opening = null;
  const isOpening = opening !== null && opening.after === after && opening.position.epoch === epoch;
  const read = async () => {
    const events = isOpening ? opening.events : await feed.source.replay(after, replayEvents + 1);
    const batch = batchOf(events.map((event) => durableMessage(feed.source.kind, epoch, event)));
    const last = batch.messages.at(-1);
    if (last && last.n !== null && epoch === feed.head.epoch && last.n > feed.head.n)
      feed.head = { epoch, n: last.n, ended: last.ends };
    return events.length > replayEvents || batch.size > replayBytes ? null : batch;
  };
  const reading = read().finally(() => feed.replays.delete(name));
  feed.replays.set(name, reading);
  return reading;
}

async function sendSnapshot(delivery: Delivery, feed: Feed, follower: Follower, reason: string): Promise<void> {
  const snapshot = await feed.source.snapshot();
  if (!isIn(follower, 'catching')) return;
  if (!snapshot) {
    delivery.end(feed, follower, 'gone');
    return;
  }
  const { epoch, n, ended, data } = snapshot;
  if (epoch !== feed.head.epoch || n > feed.head.n || reason === 'gap') feed.head = { epoch, n, ended };
  const part = follower.filter ? follower.filter.narrow(data) : data;
  const message = snapshotMessage(feed, reason, part, `${epoch}.${n}`);
  if (!write(delivery, feed, follower, message)) return;
  if (message.type === 'reset') delivery.onReset(reason);
  follower.reset = null;
  follower.last = n;
}

function snapshotMessage({ source }: Feed, reason: string, part: unknown, id: string): StreamMessage {
  const { current } = source.kind;
  if (current !== undefined) return controlMessage(current, part);
  return reason === 'first'
    ? controlMessage('snapshot', part, id)
    : controlMessage('reset', { reason, snapshot: part }, id);
}

/** Writes what arrived meanwhile; false when something is missing in between, or more was published than was read. */
function takeBuffer(delivery: Delivery, feed: Feed, follower: Follower): boolean {
  const fresh = follower.buffer.filter(({ n }) => n !== null && n > follower.last);
  forget(follower, false);
  const batch = batchOf(fresh);
  if (batch.run) {
    if (!batch.dense || batch.run.first !== follower.last + 1) return false;
    if (!deliver(delivery, feed, follower, batch)) return false;
    follower.last = batch.run.last;
  }
  return follower.last >= feed.head.n;
}

function goLive(delivery: Delivery, feed: Feed, follower: Follower): void {
  follower.state = 'live';
  releaseWithheld(delivery, feed, follower);
  endIfDone(delivery, feed, follower);
}

/** Gives a client the newest transient events it has missed, unless it is still busy. */
export function releaseWithheld(delivery: Delivery, feed: Feed, follower: Follower): void {
  // nothing follows the last event of a stream
  if (isDone(feed, follower)) follower.withheld.clear();
  if (follower.withheld.size === 0 || !isIn(follower, 'live') || delivery.backlog.isBusy(follower)) return;
  const batch = batchOf([...follower.withheld.values()]);
  follower.withheld.clear();
  deliver(delivery, feed, follower, batch);
}

/** Hands one turn's messages to a client, whatever it is doing. */
export function offer(delivery: Delivery, feed: Feed, follower: Follower, batch: Batch): void {
  const next = follower.last + 1;
  const straight =
    batch.dense && (batch.run?.first ?? next) === next && !(batch.hasTransient && delivery.backlog.isBusy(follower));
  if (straight && isIn(follower, 'live')) {
    if (deliver(delivery, feed, follower, batch)) follower.last = batch.run?.last ?? follower.last;
  } else {
    for (const message of batch.messages) offerOne(delivery, feed, follower, message);
  }
  releaseWithheld(delivery, feed, follower);
  endIfDone(delivery, feed, follower);
}

function offerOne(delivery: Delivery, feed: Feed, follower: Follower, message: StreamMessage): void {
  if (isIn(follower, 'ended')) return;
  const isNext = message.n === null ? !delivery.backlog.isBusy(follower) : message.n === follower.last + 1;
  if (isIn(follower, 'live') && isNext) {
    if (deliver(delivery, feed, follower, batchOf([message]))) follower.last = message.n ?? follower.last;
    return;
  }
  keep(follower, message, delivery.bounds.bufferBytes);
  if (isIn(follower, 'live') && message.n !== null && message.n > follower.last) void catchUp(delivery, feed, follower);
}

/** Ends a client that has seen the last event there is. */
export function endIfDone(delivery: Delivery, feed: Feed, follower: Follower): void {
  if (isIn(follower, 'live') && isDone(feed, follower)) delivery.end(feed, follower, 'terminal');
}

function isDone({ head }: Feed, { last }: Follower): boolean {
  return head.ended && last >= head.n;
}

/** Writes what a client wants of a batch; false when it is gone. */
function deliver(delivery: Delivery, feed: Feed, follower: Follower, batch: Batch): boolean {
  const { filter } = follower;
  if (!filter) return write(delivery, feed, follower, batch);
  const wanted = batch.messages.filter(({ type, data }) => filter.wants(type, data));
  return wanted.length === 0 || write(delivery, feed, follower, batchOf(wanted));
}

/** False when the client is gone: it was too slow. */
export function write({ backlog, end }: Delivery, feed: Feed, follower: Follower, unit: Pick<Batch, 'bytes'>): boolean {
  if (backlog.write(follower, unit.bytes(follower.sink.transport))) return !isIn(follower, 'ended');
  end(feed, follower, 'slow');
  return false;
}
