import type { Case } from './cases/case.ts';
import { groups } from './cases/index.ts';
import { Mismatch } from './program/mismatch.ts';
import { startSubject } from './program/subject.ts';

export interface RunOptions {
  /** The worker program and its arguments; started anew for each case. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Groups of cases; all by default. */
  readonly groups?: readonly string[];
  /** Longest wait for anything that must come, ms; 20 s by default. */
  readonly patienceMs?: number;
  /** Cases at once; 1 by default. */
  readonly together?: number;
  /** Called after each case. */
  readonly onResult?: (result: CaseResult) => void;
}

export interface CaseResult {
  readonly group: string;
  readonly name: string;
  /** Faults, in sentences; none where the case has passed. */
  readonly faults: readonly string[];
}

/**
 * Drives a worker program through the cases of the protocol.
 *
 * @returns a result for each case, in the order of the cases
 * @throws TypeError for a group that there is not
 */
export async function runConformance(options: RunOptions): Promise<readonly CaseResult[]> {
  const { together = 1, onResult } = options;
  const cases = chosen(options.groups ?? Object.keys(groups));
  const results: CaseResult[] = [];
  const next = cases.entries();
  const work = async () => {
    for (const [index, { group, one }] of next) {
      const result = { group, name: one.name, faults: await faultsIn(one, options) };
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return results;
}

function chosen(names: readonly string[]): readonly { readonly group: string; readonly one: Case }[] {
  return names.flatMap((group) => {
    const cases = groups[group];
    if (!cases) throw new TypeError(`expected one of the groups ${Object.keys(groups).join(', ')}, got ${group}.`);
    return cases.map((one) => ({ group, one }));
  });
}

const usual = { leaseMs: 10_000, beatMs: 250, clockMs: 0 };

/** Runs one case with a server and a program of its own. */
async function faultsIn(one: Case, { command, cwd, patienceMs = 20_000 }: RunOptions): Promise<readonly string[]> {
  const faults: string[] = [];
  try {
    await using subject = await startSubject({ command, cwd, patienceMs, settings: { ...usual, ...one.settings } });
    await one.run(subject).catch((error: unknown) => faults.push(sentenceOf(error)));
    faults.push(...new Set(subject.world.violations));
  } catch (error) {
    faults.push(sentenceOf(error));
  }
  return faults;
}

function sentenceOf(error: unknown): string {
  if (error instanceof Mismatch) return error.message;
  throw error;
}
