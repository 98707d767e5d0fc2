import { AppError } from '#src/lib/errors.ts';

type Manifest = Readonly<Record<string, unknown>>;

/**
 * A package.json with what a new project wants, and all that was there. Versions that were chosen stay.
 *
 * @throws AppError `invalid_request` where it says something else than the project needs
 */
export function mergedManifest(there: Manifest, wanted: Manifest): Manifest {
  const own: Manifest = { ...wanted, name: there['name'] ?? wanted['name'], private: there['private'] ?? true };
  const merged = Object.entries(own).map(([key, value]) => [key, mergedEntry(key, there[key], value)] as const);
  return { ...there, ...Object.fromEntries(merged) };
}

function mergedEntry(key: string, there: unknown, wanted: unknown): unknown {
  if (there === undefined) return wanted;
  if (typeof wanted !== 'object') return same(key, there, wanted);
  const [old, added]: [Manifest, Manifest] = [Object(there), Object(wanted)];
  if (key === 'scripts')
    for (const [name, line] of Object.entries(old)) same(`scripts.${name}`, line, added[name] ?? line);
  return { ...added, ...old };
}

function same(key: string, there: unknown, wanted: unknown): unknown {
  if (there === wanted) return there;
  throw new AppError(
    'invalid_request',
    `package.json: expected ${key} to be ${JSON.stringify(wanted)} or absent, got ${JSON.stringify(there)}; change it, or choose another folder.`,
  );
}
