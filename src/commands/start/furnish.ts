import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import type { DefaultKeys } from './default-keys.ts';
import type { Neighbourhood } from './development-human.ts';

const program = new URL('./furnish.process.ts', import.meta.url);
const guard = pathToFileURL(join(import.meta.dirname, '../../../bin/end-with-parent.mjs')).href;

/** Addresses and home of the system that is furnished. */
export type Place = Pick<Neighbourhood, 'home' | 'url' | 'audience'>;

/** A message of the process that furnishes. */
export type FromFurnishing =
  | { readonly say: string }
  | { readonly answered: true }
  | { readonly keys: DefaultKeys }
  | { readonly failed: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> } };

/** A system that is being furnished: its database brought up, its people and keys made. */
export interface Furnishing {
  /** The API answers: people can be enrolled over it. */
  readonly begin: () => void;
  /** Fulfilled once Postgres and Redis have answered. Rejected as `keys` is. */
  readonly answered: Promise<void>;
  /** Keys to call the system with. Rejected with what went wrong, at whatever step. */
  readonly keys: Promise<DefaultKeys>;
}

/**
 * Furnishes a system in a process of its own: what that loads is large, and goes with it. The stack ends it.
 *
 * @param env settings of the system's own processes
 */
export function startFurnishing(
  { home, url, audience, env, say }: Neighbourhood,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
): Furnishing {
  const place: Place = { home, url, audience };
  const child = fork(program, [JSON.stringify(place)], {
    env,
    execArgv: ['--import', guard],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(by === null ? `exit code ${code}` : `signal ${by}`));
  });
  stack.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const answered = Promise.withResolvers<void>();
  const { promise: keys, resolve, reject } = Promise.withResolvers<DefaultKeys>();
  child.on('message', (message: FromFurnishing) => {
    if ('say' in message) say(message.say);
    else if ('answered' in message) answered.resolve();
    else if ('keys' in message) resolve(message.keys);
    else {
      const { code, message: text, details } = message.failed;
      reject(new AppError(code as AppError['code'], text, knownDetails(details)));
    }
  });
  void ended.then((how) =>
    reject(new AppError('unavailable', `the process that makes keys and people ended before it was done (${how})`)),
  );
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  keys.catch(answered.reject);
  // who waits for them hears of it
  answered.promise.catch(() => {});
  return { begin: () => void (child.connected && child.send('begin')), answered: answered.promise, keys };
}
