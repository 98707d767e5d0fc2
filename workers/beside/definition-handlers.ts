import { type AnyJob, versionsOf } from '@proofline/worker/runner';
import Type from 'typebox';
import { noQueue, registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import type { Handler } from '#workers/run/processor.ts';
import { definitionProcessor } from './definition-processor.ts';

/** Payloads were checked when they were submitted, perhaps by a wider contract than this process knows yet. */
const anything = Type.Unknown();

/**
 * A handler for each version of a queue that these definitions take. Each runs its jobs by the contract that is
 * registered now.
 *
 * @param track gets what runs
 * @throws AppError `not_found` for a version that is not registered
 */
export async function definitionHandlers(
  context: Context,
  jobs: readonly AnyJob[],
  track: (work: Promise<unknown>) => void = () => {},
): Promise<readonly Handler[]> {
  const registry = registryOf(context);
  const all = jobs.map(async (job) => {
    const processor = definitionProcessor(job, track);
    return await Promise.all(
      versionsOf(job).map(async (version): Promise<Handler> => {
        const first = await registry.find(job.name, version);
        if (!first) throw noQueue(`${job.name}@${version}`);
        return {
          get queue() {
            return { ...(registry.get(job.name, version) ?? first), payload: anything };
          },
          processor,
        };
      }),
    );
  });
  return (await Promise.all(all)).flat();
}
