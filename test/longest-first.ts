import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take half a minute or longer, first of all those that keep a core busy in turn with those that mostly wait. What
 * begins last decides when a run ends, and of a fresh clone vitest knows only how large each file is.
 */
export const longest: readonly string[] = [
  'test/commands/start/up.int.test.ts',
  'test/system/postgres/postgres-start.int.test.ts',
  'test/docs/pages.int.test.ts',
  'test/workers/fleet.int.test.ts',
  'test/console/studio.int.test.ts',
  'test/receipts/anchor/anchor-crash.int.test.ts',
  'test/packages/packed.int.test.ts',
  'test/missions/run/seal-signer.int.test.ts',
  'test/console/console.int.test.ts',
  'test/system/redis/redis-start.int.test.ts',
  'test/docs/four-steps.int.test.ts',
  'test/dashboards/rules.int.test.ts',
  'test/console/market.int.test.ts',
  'test/http/flows/kills.int.test.ts',
  'test/analytics/feed/live-feed.int.test.ts',
  'test/providers/catalogue/task-failures.int.test.ts',
  'test/generators/generators.int.test.ts',
  'test/workers/providers/killed-call.int.test.ts',
  'test/chaos/chaos.int.test.ts',
  'test/access/humans/world-id.int.test.ts',
  'test/console/missions.int.test.ts',
  'test/workers/isolated-process.int.test.ts',
  'test/console/schedules.int.test.ts',
  'test/packages/jobs.int.test.ts',
  'test/console/actions.int.test.ts',
  'test/jobs/actions/kill.int.test.ts',
  'test/chaos/elsewhere.int.test.ts',
  'test/system/silent-postgres.int.test.ts',
  'test/missions/presence.int.test.ts',
  'test/access/humans/humans.int.test.ts',
  'test/packages/conformance/workers.test.ts',
  'test/python/python.test.ts',
  'test/bin/launcher.test.ts',
];

/** The order of a run: the longest files first, the others as vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at < 0 ? longest.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer’s own, which returns another array
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
