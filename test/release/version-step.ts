import type { Change } from './compare-schemas.ts';

export type Step = 'major' | 'minor' | 'patch';

/** Steps of changes that break and that add; below 1.0.0 each is one smaller, as npm counts them. A release without changes is a patch. */
const steps = {
  stable: { breaks: 'major', adds: 'minor' },
  early: { breaks: 'minor', adds: 'patch' },
} as const satisfies Record<string, Record<string, Step>>;

const rank: readonly Step[] = ['patch', 'minor', 'major'];

type Version = readonly [major: number, minor: number, patch: number];

/** Reads a version of three numbers: releases of ours have no other. @throws where it is none */
function numbersOf(version: string): Version {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`expected a version such as 0.1.0, got ${version}`);
  return [Number(major), Number(minor), Number(patch)];
}

/** Names the step that a change asks for after a release of this version. */
export function stepOf(released: string, { effect }: Pick<Change, 'effect'>): Step {
  return steps[numbersOf(released)[0] === 0 ? 'early' : 'stable'][effect];
}

/** Tells the least version that may follow a release after these changes. */
export function leastVersion(released: string, changes: readonly Change[]): string {
  const [major, minor, patch] = numbersOf(released);
  const largest = Math.max(0, ...changes.map((change) => rank.indexOf(stepOf(released, change))));
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  return next[rank[largest] ?? 'patch'].join('.');
}

/** Says whether a version is no smaller than another. @throws where one is no version */
export function isEnough(version: string, least: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(least)];
  const index = own.findIndex((number, at) => number !== other[at]);
  return index < 0 || own[index]! > other[index]!;
}
