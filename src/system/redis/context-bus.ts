import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { openBus } from './bus.ts';
import { openSubscriber } from './redis.ts';

/** Opens the bus on which a process hears what its own work waits for: one connection, made when something first does. */
export const contextBus = perContext((context: Context) => {
  const redis = openSubscriber(context.config, (error) => context.log.debug({ err: error }, 'redis, bus'));
  context.onClose(async () => redis.disconnect());
  return openBus(redis);
});
