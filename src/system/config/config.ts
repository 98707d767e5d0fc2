import { AppError } from '#src/lib/errors.ts';
import { editDistance } from '#src/lib/text/edit-distance.ts';
import type { Config } from './config-type.ts';
import { isLoopback } from './loopback.ts';
import { publicUrlOf } from './public-url.ts';
import type { Setting } from './setting-kinds.ts';
import { settings } from './settings.ts';

/**
 * The settings in `env`, every one checked; an empty variable counts as not set.
 *
 * @throws AppError `invalid_configuration` with one sentence: the variable, what was expected, what came (never a
 *   secret's value), for the first wrong one.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  refuseUnknown(env);
  const entries = Object.entries<Setting>(settings).map(([name, setting]) => [name, valueOf(name, setting, env[name])]);
  const config: Config = Object.freeze(Object.fromEntries(entries));
  refuseContradictions(config);
  return config;
}

function valueOf(name: string, setting: Setting, text: string | undefined): unknown {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return setting.fallback;
  const value = setting.read(trimmed);
  if (value !== undefined) return value;
  const got = setting.secret ? 'something else (not shown: it is a secret)' : JSON.stringify(trimmed);
  throw wrong(name, `${setting.expected}, got ${got}`);
}

/** Settings of our own commands: a shell that has them may start everything else as well. */
const clientNames = ['PROOFLINE_URL', 'PROOFLINE_KEY'];

/** Letters by which a name of this length may differ from a setting's and still be meant for it. */
const mistakes = ({ length }: string): number => (length < 5 ? 0 : length < 14 ? 1 : 2);

/** A misspelt name would be ignored in silence, so names in our own prefix must be known, and others not nearly known. */
function refuseUnknown(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) {
    if (Object.hasOwn(settings, name) || clientNames.includes(name)) continue;
    const { known, distance } = nearest(name);
    const isOurs = name.startsWith('PROOFLINE_');
    // who has set the right one as well means something else by this one
    if (!isOurs && (distance > mistakes(name) || (env[known] ?? '') !== '')) continue;
    throw wrong(name, `a known setting, got a name that is not one; did you mean ${known}? (docs/settings.md has all)`);
  }
}

function refuseContradictions(config: Config): void {
  if (config.THREADS_MIN > config.THREADS_MAX) {
    throw wrong('THREADS_MIN', `at most THREADS_MAX (${config.THREADS_MAX}), got ${config.THREADS_MIN}`);
  }
  if (config.REDIS_CLUSTER_NODES.length > 0 && !/^\/?0?$/.test(URL.parse(config.REDIS_URL)?.pathname ?? 'none')) {
    throw wrong('REDIS_URL', 'a node without a database, since REDIS_CLUSTER_NODES is set, got none or with one');
  }
  if (config.DATABASE_DIRECT_URL !== '' && config.DATABASE_URL === '') {
    throw wrong('DATABASE_URL', 'an address together with DATABASE_DIRECT_URL, got only the latter');
  }
  if (config.FEED === 'files' && config.FEED_FOLDER === '') {
    throw wrong('FEED_FOLDER', 'a folder, since FEED is files, got none');
  }
  if (
    config.STEP_ASSURANCE.endsWith('present') &&
    (config.WORLD_ID_RP_ID === '' || config.WORLD_ID_SIGNING_KEY === '')
  ) {
    throw wrong(
      'STEP_ASSURANCE',
      `at most unique without WORLD_ID_RP_ID and WORLD_ID_SIGNING_KEY, since only World ID shows presence, got ${config.STEP_ASSURANCE}`,
    );
  }
  if (config.BEAT_MS * 2 > config.LEASE_MS) {
    throw wrong('BEAT_MS', `at most half of LEASE_MS (${config.LEASE_MS}), got ${config.BEAT_MS}`);
  }
  if ((config.ORACLE_MODEL_URL === undefined) !== (config.ORACLE_MODEL === '')) {
    throw wrong('ORACLE_MODEL', 'a name together with ORACLE_MODEL_URL, got only one of the two');
  }
  if ((config.PLANNER_MODEL_URL === undefined) !== (config.PLANNER_MODEL === '')) {
    throw wrong('PLANNER_MODEL', 'a name together with PLANNER_MODEL_URL, got only one of the two');
  }
  if ((config.C2PA_CERTIFICATE_FILE === '') !== (config.C2PA_KEY_FILE === '')) {
    throw wrong('C2PA_KEY_FILE', 'a file together with C2PA_CERTIFICATE_FILE, got only one of the two');
  }
  if ((config.OIDC_ISSUER === undefined) !== (config.OIDC_CLIENT_ID === '')) {
    throw wrong('OIDC_CLIENT_ID', 'a name together with OIDC_ISSUER, got only one of the two');
  }
  const { protocol, hostname, origin } = new URL(publicUrlOf(config));
  if (config.OIDC_ISSUER !== undefined && protocol !== 'https:' && !isLoopback(hostname)) {
    throw wrong('PUBLIC_URL', `an address that starts with https:// where people sign in (OIDC_ISSUER), got ${origin}`);
  }
  for (const name of ['SEAL_SIGNER_TOKEN', 'SEAL_SIGNER_PUBLIC_KEY'] as const) {
    if ((config.SEAL_SIGNER_URL === undefined) !== (config[name] === '')) {
      throw wrong(name, 'a value together with SEAL_SIGNER_URL, got only one of the two');
    }
  }
}

function wrong(name: string, expectation: string): AppError {
  return new AppError('invalid_configuration', `${name}: expected ${expectation}.`, { variable: name });
}

function nearest(name: string): { readonly known: string; readonly distance: number } {
  const bare = name.replace(/^PROOFLINE_/, '');
  const distances = Object.keys(settings).map((known) => ({
    known,
    distance: Math.min(slips(name, known), slips(bare, known)),
  }));
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best));
}

/** As the distance, but letters in another order count as one slip. */
function slips(left: string, right: string): number {
  const distance = editDistance(left, right);
  const lettersOf = (word: string) => word.split('').toSorted().join('');
  return distance === 2 && lettersOf(left) === lettersOf(right) ? 1 : distance;
}
