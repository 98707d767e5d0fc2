import { AppError } from '#src/lib/errors.ts';
import { hideFromLogs } from '#src/system/logging/log.ts';
import type { Provider } from './catalogue.ts';

/** Shorter ones would be found by chance in a log line, and masked there. */
const wellFormed = /^[!-~]{8,4000}$/;

/**
 * A secret of a provider, read from the environment at this moment, so that a rotated one counts at once; from now on
 * no log line shows it. Undefined where the catalogue names none.
 *
 * @throws AppError `invalid_configuration` naming the variable, never its value
 */
export function secretOf(
  provider: Provider,
  which: 'credential' | 'webhookSecret',
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const name = provider[which];
  if (name === undefined) return undefined;
  const value = env[name]?.trim() ?? '';
  if (!wellFormed.test(value)) {
    const got = value === '' ? 'nothing' : 'something else (not shown: it is a secret)';
    throw new AppError(
      'invalid_configuration',
      `${name}: expected the secret of the provider ${provider.id} (8 to 4000 visible ASCII characters), got ${got}.`,
      { variable: name, provider: provider.id },
    );
  }
  hideFromLogs(value);
  return value;
}

/**
 * The environment variable of a provider's key that is missing or malformed; null where there is nothing to complain
 * of.
 */
export function missingCredential(provider: Provider, env: NodeJS.ProcessEnv = process.env): string | null {
  const name = provider.credential;
  return name === undefined || wellFormed.test(env[name]?.trim() ?? '') ? null : name;
}
