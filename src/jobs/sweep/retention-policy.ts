import { queues as compiledIn } from '#queues/index.ts';
import { isReserved, NAME } from '#src/jobs/registry/queue-name.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { DAY_MS, durationMs } from '#src/lib/duration.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

/** Bounds on how long finished jobs of a queue are kept. */
export interface RetentionPolicy {
  /** Age in ms after which one is forgotten. */
  readonly ms: number;
  /** Number of the newest that are kept at most; null without such a bound. */
  readonly count: number | null;
}

/**
 * The policy of each queue: what `JOB_RETENTION_BY_QUEUE` says of it, else its contract, else `JOB_RETENTION_DAYS`.
 * Rows of queues that this release no longer has are kept by `JOB_RETENTION_DAYS`.
 *
 * @throws AppError `invalid_configuration` where the setting names a queue that does not exist, or one twice by age or
 *   count.
 */
export function retentionPolicies(context: Context): (queue: string) => RetentionPolicy {
  const { JOB_RETENTION_DAYS, JOB_RETENTION_BY_QUEUE } = context.config;
  const registry = registryOf(context);
  const usual: RetentionPolicy = { ms: JOB_RETENTION_DAYS * DAY_MS, count: null };
  const ages = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const entry of JOB_RETENTION_BY_QUEUE) {
    const [queue = '', kept = ''] = entry.split('=');
    const age = durationMs(kept);
    const into = Number.isNaN(age) ? counts : ages;
    if (!mayExist(queue)) throw refused(`expected a queue, got ${queue}: \`proofline queues\` lists them`);
    if (into.has(queue)) throw refused(`expected one age and one count for ${queue}, got ${entry} besides another`);
    into.set(queue, Number.isNaN(age) ? Number(kept) : age);
  }
  return (queue) => {
    const { retention } = registry.get(queue) ?? {};
    return {
      ms: ages.get(queue) ?? retention?.ms ?? usual.ms,
      count: counts.get(queue) ?? retention?.count ?? null,
    };
  };
}

/** Ours are known; those of others come and go while the system runs. */
function mayExist(queue: string): boolean {
  return compiledIn.has(queue) || (NAME.test(queue) && !isReserved(queue));
}

function refused(message: string): AppError {
  const variable = 'JOB_RETENTION_BY_QUEUE';
  return new AppError('invalid_configuration', `${variable}: ${message}.`, { variable });
}
