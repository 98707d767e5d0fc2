import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { referencesIn } from './references.ts';

/** Part of a capability that the check needs. */
export interface CheckedCapability {
  readonly name: string;
  readonly title: string;
  readonly input: TSchema;
}

export interface CheckedStep {
  readonly id: string;
  readonly capability: string;
  readonly title?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly dependsOn?: readonly string[];
}

/** Most steps of a mission. */
export const MOST_STEPS = 50;

/**
 * The steps in an order in which they can run (their own where that works), each with all steps it depends on; or what
 * is wrong with them, a sentence for each fault.
 */
export function checkPlan<S extends CheckedStep>(
  steps: readonly S[],
  capabilities: ReadonlyMap<string, CheckedCapability>,
): { readonly steps: readonly (S & { dependsOn: string[] })[] } | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  if (steps.length === 0) faults.push('expected at least one step, got none');
  if (steps.length > MOST_STEPS) faults.push(`expected at most ${MOST_STEPS} steps, got ${steps.length}`);
  const known = new Set<string>();
  for (const { id } of steps) {
    if (known.has(id)) faults.push(`${id}: expected a name of its own for each step, got this one twice`);
    known.add(id);
  }
  const linked = steps.map((step) => {
    const needs = new Set([...(step.dependsOn ?? []), ...referencesIn(step.input).map(({ to }) => to.$from)]);
    for (const need of needs)
      if (!known.has(need))
        faults.push(`${step.id}: depends on ${JSON.stringify(need)}, which is no step of this plan`);
    faults.push(...inputFaults(step, capabilities));
    return { ...step, dependsOn: [...needs] };
  });
  if (faults.length > 0) return { faults };
  const ordered = inOrder(linked);
  if (ordered) return { steps: ordered };
  return { faults: ['expected steps that can run one after the other, got some that wait for each other'] };
}

/** Finds the faults of a step's input; places for values that are not known yet are left out. */
export function inputFaults(
  { id, capability, input }: CheckedStep,
  capabilities: ReadonlyMap<string, CheckedCapability>,
): readonly string[] {
  const open = referencesIn(input).map(({ at }) => at);
  return faultsOutside(open, { id, capability, input }, capabilities);
}

/**
 * Finds the faults of an input whose references are resolved. Text that came from an output is no reference, whatever
 * it looks like.
 */
export function resolvedFaults(
  step: CheckedStep,
  capabilities: ReadonlyMap<string, CheckedCapability>,
): readonly string[] {
  return faultsOutside([], step, capabilities);
}

function faultsOutside(
  open: readonly string[],
  { id, capability, input }: CheckedStep,
  capabilities: ReadonlyMap<string, CheckedCapability>,
): readonly string[] {
  const known = capabilities.get(capability);
  if (!known) return [`${id}: expected a capability of the catalogue, got ${JSON.stringify(capability)}`];
  return (
    [...Compile(known.input).Errors(input)]
      // said of the whole object as well
      .filter(({ message }) => message !== 'schema is false')
      .filter(({ instancePath }) => !open.some((at) => instancePath === at || instancePath.startsWith(`${at}/`)))
      .slice(0, 3)
      .map(({ instancePath, message, params }) => `${id}: input${instancePath} ${message}${addedIn(params)}`)
  );
}

/** For members that should not be there, which. */
function addedIn(params: object): string {
  const { additionalProperties: names } = params as { additionalProperties?: readonly string[] };
  return names ? ` (${names.join(', ')})` : '';
}

/** Steps so that each comes after what it depends on, otherwise as they were; null where they wait for each other. */
function inOrder<S extends { readonly id: string; readonly dependsOn: readonly string[] }>(
  steps: readonly S[],
): readonly S[] | null {
  const ordered: S[] = [];
  const done = new Set<string>();
  let left = steps;
  while (left.length > 0) {
    const next = left.find(({ dependsOn }) => dependsOn.every((need) => done.has(need)));
    if (!next) return null;
    done.add(next.id);
    ordered.push(next);
    left = left.filter((step) => step !== next);
  }
  return ordered;
}
