/** A signal that follows another one, with a limit of time besides. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Begins the time anew: something has happened. */
  readonly refresh: () => void;
  /** Stops following: a signal that lives long would keep every one that ever followed it. */
  readonly release: () => void;
}

/**
 * Makes a signal that is aborted with another one, or with `late()` after `ms`; without `ms` never by time.
 */
export function linkSignal(outer: AbortSignal | undefined, ms?: number, late?: () => Error): LinkedSignal {
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  const expire = () => controller.abort(late?.());
  let timer = ms === undefined ? undefined : setTimeout(expire, ms);
  if (outer?.aborted === true) follow();
  else outer?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    refresh: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    release: () => {
      clearTimeout(timer);
      timer = undefined;
      outer?.removeEventListener('abort', follow);
    },
  };
}
