import type { Context } from './context.ts';
import { contextBus } from './context-bus.ts';
import { perContext } from './per-context.ts';
import { publisherOf } from './redis/redis-cluster.ts';

/**
 * News that events were written, from all processes to the one that publishes them. They say nothing but that there is
 * something to look for, and may be lost: who hears them looks now and then without.
 */
interface EventNews {
  readonly tell: () => void;
  /** Hears news until it is disposed of. */
  readonly hear: (listener: () => void) => Disposable;
}

export const eventNews = perContext((context: Context): EventNews => {
  const channel = `${context.config.REDIS_PREFIX}:event-news`;
  const listeners = new Set<() => void>();
  let isTold = false;
  const publish = () => {
    isTold = false;
    // while Redis is away they would queue up
    if (context.redis.status !== 'ready') return;
    publisherOf(context.redis)
      .publish(channel, '')
      .catch((error: unknown) => context.log.debug({ err: error }, 'event news'));
  };
  return {
    tell: () => {
      for (const listener of listeners) listener();
      // one process leads: what is heard here concerns no other
      if (isTold || listeners.size > 0) return;
      isTold = true;
      setImmediate(publish);
    },
    hear: (listener) => {
      const subscription = contextBus(context).subscribe(channel, { message: listener, resubscribed: listener });
      listeners.add(listener);
      return {
        [Symbol.dispose]: () => {
          listeners.delete(listener);
          subscription.close();
        },
      };
    },
  };
});
