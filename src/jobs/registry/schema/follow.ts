import { unescapeStep } from '#src/lib/json-pointer.ts';
import { isRecord, type Kind, keywords, subschemasOf } from './keywords.ts';

const anchorsByRoot = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** Finds the places of all `$anchor`s of a schema, by name. */
function anchorsOf(root: object): ReadonlyMap<string, readonly string[]> {
  const known = anchorsByRoot.get(root);
  if (known) return known;
  const found = new Map<string, readonly string[]>();
  const look = (schema: unknown, steps: readonly string[]) => {
    if (!isRecord(schema)) return;
    const name = schema['$anchor'];
    if (typeof name === 'string') found.set(name, steps);
    for (const part of subschemasOf(schema)) look(part.schema, [...steps, ...part.steps]);
  };
  look(root, []);
  anchorsByRoot.set(root, found);
  return found;
}

/** Returns the steps to what a local reference names: a JSON pointer or an anchor; null for one that is neither. */
export function referenceSteps(root: unknown, reference: string): readonly string[] | null {
  if (/^#(?:\/|$)/.test(reference)) {
    const steps = reference.slice(1).split('/').slice(1).map(decoded);
    return steps.some((step) => step === null) ? null : (steps as readonly string[]);
  }
  return (isRecord(root) && anchorsOf(root).get(reference.slice(1))) || null;
}

/** Checks for each step of a pointer whether it is a keyword; null where the steps lead to no schema. */
export function keywordSteps(steps: readonly string[]): readonly boolean[] | null {
  const found: boolean[] = [];
  // a step from a schema is a keyword; one from schemas, in a list or by name, leads to a schema
  let at: Kind | undefined = 'schema';
  for (const name of steps) {
    const isKeyword: boolean = at === 'schema';
    found.push(isKeyword);
    at = isKeyword ? keywords.get(name) : 'schema';
    if (at !== 'schema' && at !== 'schemas' && at !== 'named') return null;
  }
  return at === 'schema' ? found : null;
}

/**
 * Finds the schema that a local reference names; undefined where there is none. Something that lies elsewhere, in an
 * annotation or a value, is no schema: nothing has looked at it.
 */
export function follow(root: unknown, reference: string): unknown {
  const steps = referenceSteps(root, reference);
  if (!steps || !keywordSteps(steps)) return undefined;
  let found: unknown = root;
  for (const name of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function decoded(part: string): string | null {
  try {
    return unescapeStep(decodeURIComponent(part));
  } catch {
    return null;
  }
}
