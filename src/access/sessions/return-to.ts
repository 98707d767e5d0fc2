import { AppError } from '#src/lib/errors.ts';

/** Page after signing in where the browser requested no other: the session. */
const fallback = '/auth/session';

/**
 * Returns the address that a person goes to after signing in, as a whole address of ours: one that is read differently
 * by browser and server (`/.//elsewhere`) still leads nowhere else.
 *
 * @throws AppError `invalid_request` for anything but a path of this service that is outside of /auth.
 */
export function returnAddress(base: string, path: string = fallback): string {
  const url = /^\/(?![/\\])/.test(path) ? URL.parse(path, base) : null;
  const isOurs = url?.origin === new URL(base).origin && url.username === '' && url.password === '';
  if (isOurs && (path === fallback || !url.pathname.startsWith('/auth/'))) return url.href;
  throw new AppError(
    'invalid_request',
    `return_to: expected a path of this service such as /console, got ${JSON.stringify(path.slice(0, 200))}.`,
    { field: 'query.return_to', value: path.slice(0, 200) },
  );
}
