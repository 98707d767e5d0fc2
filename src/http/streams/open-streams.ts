import type { Access } from '#src/access/access.ts';
import { selectDeadKeys } from '#src/access/keys/key-store.ts';
import { purgeChannel } from '#src/access/keys/purge.ts';
import { endedSessions } from '#src/access/sessions/session-store.ts';
import { deadTokens } from '#src/access/stream-tokens/token-store.ts';
import { sessionHeld, sessionHolder, tokenHeld, tokenHolder } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { type Bus, openBus } from '#src/system/redis/bus.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { type Hub, openHub } from './hub.ts';

/**
 * Milliseconds between comparisons of streams with their ledgers; a lost PUBLISH shows after this long at the latest.
 */
const compareMs = 15_000;
/**
 * Milliseconds between checks of the keys of open streams. With a purge they close at once; without one, within 5 s.
 */
const keysMs = 2_500;

/** The hub of an API process, over one connection of its own to Redis; closed with the context. */
export function openStreams(context: Context): Hub {
  const { config, log, metrics } = context;
  const redis = openSubscriber(config, (error) => log.debug({ err: error }, 'redis, subscriber'));
  context.onClose(async () => redis.disconnect());
  const hub = openHub({
    bus: openBus(redis),
    onFailure: (error, fields, message) => void logFailure(context, error, fields, message),
    clientBytes: config.STREAM_CLIENT_BYTES,
    perKey: config.STREAMS_PER_KEY,
    totalBytes: config.STREAM_TOTAL_BYTES,
    replayEvents: 1_000,
    replayBytes: 262_144,
    bufferBytes: 262_144,
    retryMs: 1_000,
    onFollowers: (transport, change) => metrics.proofline_stream_subscribers.inc({ transport }, change),
    onReset: (reason) => metrics.proofline_stream_resets_total.inc({ reason }),
    onDropped: (transport) => metrics.proofline_stream_clients_dropped_total.inc({ transport }),
  });
  every(context, compareMs, 'comparing streams with their ledgers', hub.check);
  every(context, config.STREAM_HEARTBEAT_MS, 'heartbeat', async () => hub.heartbeat());
  return hub;
}

/** Whatever stays open in the name of keys and of people who are signed in: streams, sessions of machines. */
export interface KeyHolder {
  readonly keyIds: () => readonly string[];
  /** Ends what is open for a key. */
  readonly closeKey: (keyId: string, reason: string) => void;
}

/** Ends the streams of keys that are revoked or have expired, and makes this process forget what it knew of them. */
export function watchKeys(context: Context, access: Access, hub: Hub): void {
  hub.bus.subscribe(purgeChannel(context.config), {
    message: access.purge,
    resubscribed: () => access.verdicts.clear(),
  });
  closeDeadKeys(context, hub.bus, hub);
}

/**
 * Ends the open streams of a holder whose keys or tokens are revoked or have expired, or whose session is over: at once
 * after a purge of that very one, within 5 s otherwise.
 */
export function closeDeadKeys(context: Context, bus: Bus, holder: KeyHolder): void {
  const closeDead = async (holders: readonly string[]) => {
    const keys = holders.filter((one) => sessionHeld(one) === null && tokenHeld(one) === null);
    const tokens = holders.flatMap((one) => tokenHeld(one) ?? []);
    const sessions = holders.flatMap((one) => sessionHeld(one) ?? []);
    if (keys.length > 0)
      for (const { id, reason } of await selectDeadKeys(context.db, keys)) holder.closeKey(id, reason);
    for (const { id, reason } of await deadTokens(context, tokens)) holder.closeKey(tokenHolder(id), reason);
    for (const id of await endedSessions(context, sessions)) holder.closeKey(sessionHolder(id), 'signed_out');
  };
  bus.subscribe(purgeChannel(context.config), {
    message: (id) => {
      closeDead(holder.keyIds().filter((one) => one === id)).catch(
        async (error: unknown) => await logFailure(context, error, {}, 'a revoked key could not be read'),
      );
    },
    resubscribed: () => {},
  });
  every(context, keysMs, 'looking at the keys of what is open', () => closeDead(holder.keyIds()));
}

/** Runs again and again until the context closes; a failure is logged and the next turn tries again. */
export function every(context: Context, ms: number, what: string, run: () => Promise<void>): void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    run()
      .catch(async (error: unknown) => await logFailure(context, error, {}, `${what} failed`))
      .finally(() => {
        running = false;
      });
  }, ms);
  timer.unref();
  context.onClose(async () => clearInterval(timer));
}
