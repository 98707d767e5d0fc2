import type { DatabasePool } from 'slonik';
import type { Config } from './config.ts';
import { type Log, openLog } from './log.ts';
import { type Metrics, openMetrics } from './metrics.ts';
import { openPostgres } from './postgres.ts';
import { openRedis, type RedisClient } from './redis.ts';
import { openTrace } from './trace.ts';

/** What a process holds open, handed to everything that needs it. Closing it closes what it opened, in reverse order. */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly db: DatabasePool;
  /** For commands that fail fast while Redis is away; subscribers and BullMQ workers open their own. */
  readonly redis: RedisClient;
  /** Runs when the context closes, before its connections do. */
  readonly onClose: (close: () => Promise<unknown>) => void;
}

export async function openContext(config: Config, role: string): Promise<Context> {
  const log = openLog(config, role);
  const metrics = openMetrics();
  const stack = new AsyncDisposableStack();
  const trace = openTrace(config, role);
  stack.defer(() => trace.close());
  const db = await openPostgres(config, role, (error) => log.debug({ err: error }, 'a query failed'));
  stack.defer(() => db.end());
  const redis = openRedis(config, 'command', (error) => log.debug({ err: error }, 'redis'));
  stack.defer(async () => redis.disconnect());
  return {
    config,
    log,
    metrics,
    db,
    redis,
    onClose: (close) => stack.defer(async () => void (await close())),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
