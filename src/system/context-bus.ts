import type { Context } from './context.ts';
import { perContext } from './per-context.ts';
import { openBus } from './redis/bus.ts';
import { openSubscriber } from './redis/redis.ts';

/** Opens the bus on which a process hears what its own work waits for: one connection, made when something first does. */
export const contextBus = perContext((context: Context) => {
  const redis = openSubscriber(context.config, (error) => context.log.debug({ err: error }, 'redis, bus'));
  context.onClose(async () => redis.disconnect());
  return openBus(redis);
});
