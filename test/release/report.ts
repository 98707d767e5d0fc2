import { counted } from '#src/lib/text/counted.ts';
import type { Change } from './compare-schemas.ts';
import { isEnough, leastVersion, stepOf } from './version-step.ts';

export interface Versions {
  /** Version of the release whose contracts are frozen. */
  readonly released: string;
  /** Version of package.json. */
  readonly version: string;
}

/** Lists every change with the step that it asks for, the largest first, and says whether the version is large enough. */
export function releaseReport({ released, version }: Versions, changes: readonly Change[]) {
  const least = leastVersion(released, changes);
  // without changes the release itself may be made again
  const enough = isEnough(version, changes.length === 0 ? released : least);
  const lines = (['breaks', 'adds'] as const).flatMap((effect) =>
    changes
      .filter((change) => change.effect === effect)
      .map(
        (change) =>
          `${stepOf(released, change).padEnd('minor'.length)}  ${change.area}  ${change.place}: ${change.says}`,
      ),
  );
  const verdict =
    changes.length === 0
      ? `no contract has changed since ${released}`
      : `${counted(changes.length, 'change')} since ${released}: ${least} or larger is needed, package.json has ${version}`;
  return { least, isEnough: enough, text: `${[...lines, verdict].join('\n')}\n` };
}
