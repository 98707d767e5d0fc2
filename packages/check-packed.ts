import { execFileSync } from 'node:child_process';

/** Fields of a package.json by which others find its files. */
interface Manifest {
  readonly name?: string;
  readonly license?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Names of files that no package has, each with the reason. */
const unwanted: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(^|\/)(test|tests|bench|node_modules|\.git|\.proofline|__pycache__)\//, 'is of development alone'],
  [/\.(test|spec)\.[cm]?[jt]sx?$|\.tsbuildinfo$|\.pyc$|\.log$/, 'is of development alone'],
  [/(^|\/)(\.env|\.npmrc|me\.json|ready\.json|jobs\.env)$|\.pem$|\.tgz$/, 'may be a secret, or was built elsewhere'],
  [/(^|\/)package-lock\.json$/, 'is of a checkout'],
  // templates are sources that a project begins with
  [/^(?!packages\/templates\/).*(?<!\.d)\.tsx?$/, 'is a source, which Node does not run below node_modules'],
];
/** The Node that a package brings is installed by its lockfile. */
const allowed = new Set(['runtime/package-lock.json']);

/** Lists what is wrong with the files of a package, in sentences; none where it may be published. */
export function faultsOf(files: readonly string[], manifest: Manifest): readonly string[] {
  const has = new Set(files);
  const missing = ['package.json', 'README.md', 'LICENSE'].filter((file) => !has.has(file));
  const wrong = files
    .filter((file) => !allowed.has(file))
    .flatMap((file) => unwanted.filter(([pattern]) => pattern.test(file)).map(([, why]) => `${file} ${why}`));
  const named = [...Object.values(manifest.bin ?? {}), ...targetsOf(manifest.exports)];
  const gone = named.map((path) => path.replace(/^\.\//, '')).filter((path) => !has.has(path));
  return [
    ...missing.map((file) => `expected ${file}, got none`),
    ...wrong,
    ...gone.map((file) => `package.json names ${file}, which is not in it`),
    ...untyped(manifest).map((entry) => `the entry ${entry} has no types`),
    ...(manifest.license ? [] : ['package.json names no licence']),
  ];
}

/** Files behind the conditions that users of a package have: sources are for this checkout. */
function targetsOf(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target];
  if (typeof target !== 'object' || target === null) return [];
  return Object.entries(target).flatMap(([condition, one]) => (condition.endsWith('/source') ? [] : targetsOf(one)));
}

/** Entries that programs import, without types for TypeScript. */
function untyped({ exports = {} }: Manifest): readonly string[] {
  return Object.entries(exports)
    .filter(([entry, target]) => !entry.endsWith('/package.json') && !('types' in Object(target)))
    .map(([entry]) => entry);
}

/** @throws with every fault of a tarball, where it has one */
export function checkTarball(tarball: string): void {
  const tar = (...args: readonly string[]) => execFileSync('tar', [...args], { encoding: 'utf8', maxBuffer: 64 << 20 });
  const files = tar('-tzf', tarball)
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const faults = faultsOf(files, JSON.parse(tar('-xzOf', tarball, 'package/package.json')));
  if (faults.length > 0) throw new Error(`expected ${tarball} to be fit to publish, got:\n${faults.join('\n')}`);
}
