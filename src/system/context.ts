import type { DatabasePool } from 'slonik';
import type { Config } from '#src/system/config/config-type.ts';
import { type Log, openLog } from '#src/system/logging/log.ts';
import { droppedLogLines } from '#src/system/logging/log-destination.ts';
import { openOutage } from '#src/system/logging/outage.ts';
import { openTrace } from '#src/system/logging/trace.ts';
import { type Metrics, openMetrics } from '#src/system/metrics/metrics.ts';
import { directUrl, openPostgres } from '#src/system/postgres/postgres.ts';
import { type PostgresWatch, watchPostgres } from '#src/system/postgres/postgres-watch.ts';
import { openRedis, type RedisClient } from '#src/system/redis/redis.ts';

/**
 * Everything that a process holds open, handed to the code that needs it. Closing it closes what it opened, in reverse
 * order.
 */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly db: DatabasePool;
  /** Knows whether the database itself, past a pooler, is away. */
  readonly postgresWatch: PostgresWatch;
  /** For commands that fail fast while Redis is away; subscribers and BullMQ workers open their own. */
  readonly redis: RedisClient;
  /** Runs when the context closes, before its connections do. */
  readonly onClose: (close: () => Promise<unknown>) => void;
}

export async function openContext(config: Config, role: string): Promise<Context> {
  const log = openLog(config, role);
  const metrics = openMetrics();
  countDropped(metrics);
  const stack = new AsyncDisposableStack();
  const trace = await openTrace(config, role);
  stack.defer(() => trace.close());
  const postgresWatch = stack.use(watchPostgres(log, directUrl(config)));
  const isPooled = config.DATABASE_DIRECT_URL !== '';
  const poolWatch = isPooled ? stack.use(watchPostgres(log, config.DATABASE_URL, true)) : postgresWatch;
  const onError = (error: Error) => {
    log.debug({ err: error }, 'a query failed');
    void poolWatch.isUnavailable(error);
  };
  const db = await openPostgres(config, role, onError, poolWatch).catch(async (error: unknown) => {
    await stack.disposeAsync();
    throw error;
  });
  stack.defer(() => db.end());
  const redis = openRedis(config, 'command', (error) => {
    why = error;
    log.debug({ err: error }, 'redis');
  });
  let why: unknown = 'the connection was closed';
  const outage = openOutage(log, 'Redis', config.REDIS_URL);
  const noteAway = () => outage.away(why);
  redis.on('close', noteAway).on('ready', () => outage.back());
  stack.defer(async () => {
    redis.off('close', noteAway);
    redis.disconnect();
  });
  return {
    config,
    log,
    metrics,
    db,
    postgresWatch,
    redis,
    onClose: (close) => stack.defer(async () => void (await close())),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Lines are dropped where no metrics are known yet: they are counted there, and shown here. */
function countDropped({ proofline_log_lines_dropped_total: counter }: Metrics): void {
  const collect = () => {
    counter.reset();
    counter.inc(droppedLogLines());
  };
  Object.assign(counter, { collect });
}
