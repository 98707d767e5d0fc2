import type { Redis } from 'ioredis';

/** Called straight from the Redis connection: must be quick and must not throw. */
export interface Listener {
  readonly message: (text: string) => void;
  /** The connection was lost and is back: anything may have been missed. */
  readonly resubscribed: () => void;
}

export interface Subscription {
  /** Settles when Redis has acknowledged: whatever is published from then on arrives. Waits while Redis is away. */
  readonly ready: Promise<void>;
  readonly close: () => void;
}

/** Pub/sub channels of a process over one connection, counted: the first listener subscribes, the last one unsubscribes. */
export interface Bus {
  readonly subscribe: (channel: string, listener: Listener) => Subscription;
}

interface Channel {
  readonly listeners: Set<Listener>;
  readonly acknowledged: PromiseWithResolvers<void>;
}

/** Channels per SUBSCRIBE after a reconnect; one command with 100,000 of them would hold Redis up. */
const chunk = 1_000;

/** `redis` must be a connection of its own: one that subscribes can do nothing else. Never uses patterns: each costs on every PUBLISH. */
export function openBus(redis: Redis): Bus {
  const channels = new Map<string, Channel>();
  let wasReady = redis.status === 'ready';

  // a command that fails (connection lost) is made up for by the next `ready`
  const send = async (names: readonly string[]) => {
    for (let start = 0; start < names.length; start += chunk)
      await redis.subscribe(...names.slice(start, start + chunk));
  };

  redis.on('message', (name: string, text: string) => {
    const channel = channels.get(name);
    if (channel) for (const listener of channel.listeners) listener.message(text);
  });

  const subscribeAll = async (again: boolean) => {
    const names = [...channels.keys()];
    await send(names);
    for (const name of names) {
      channels.get(name)?.acknowledged.resolve();
      if (again) for (const listener of channels.get(name)?.listeners ?? []) listener.resubscribed();
    }
  };

  redis.on('ready', () => {
    subscribeAll(wasReady).catch(() => {});
    wasReady = true;
  });

  const open = (name: string): Channel => {
    const channel: Channel = { listeners: new Set(), acknowledged: Promise.withResolvers() };
    channels.set(name, channel);
    redis.subscribe(name).then(
      () => channel.acknowledged.resolve(),
      () => {},
    );
    return channel;
  };

  const leave = (name: string, channel: Channel, listener: Listener) => {
    if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
    channels.delete(name);
    // sent on the same connection as a later subscribe, so the order holds
    redis.unsubscribe(name).catch(() => {});
  };

  return {
    subscribe: (name, listener) => {
      const channel = channels.get(name) ?? open(name);
      channel.listeners.add(listener);
      return { ready: channel.acknowledged.promise, close: () => leave(name, channel, listener) };
    },
  };
}
