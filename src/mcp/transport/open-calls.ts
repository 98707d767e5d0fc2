import type { FastifyReply } from 'fastify';
import type { KeyHolder } from '#src/http/streams/open-streams.ts';
import { AppError } from '#src/lib/errors.ts';
import { holderOf, type Principal } from '#src/lib/principal.ts';

/** Requests that are being answered, a stream for as long as it is open. */
export interface OpenCalls extends KeyHolder {
  /**
   * Counts a request until its answer is through. The signal is aborted when the client has gone or the key is revoked.
   *
   * @throws AppError `quota_exceeded` when the key has too many open already.
   */
  readonly begin: (principal: Principal, reply: FastifyReply) => AbortSignal;
  /** Settles when no request is open, or after `ms` milliseconds. */
  readonly drained: (ms: number) => Promise<void>;
}

export function openCalls(most: number): OpenCalls {
  const open = new Map<string, Set<AbortController>>();
  const ofOwner = 'owner:';
  const none = new EventTarget();
  return {
    begin: (principal, { raw }) => {
      const holder = holderOf(principal) ?? ofOwner + principal.owner;
      const calls = open.get(holder) ?? new Set();
      if (calls.size >= most)
        throw new AppError('quota_exceeded', `expected at most ${most} open requests of a key, got one more.`, {
          limit: most,
          retry_after_seconds: 5,
        });
      const call = new AbortController();
      open.set(holder, calls.add(call));
      raw.once('close', () => {
        calls.delete(call);
        if (calls.size === 0 && open.get(holder) === calls) open.delete(holder);
        call.abort();
        if (open.size === 0) none.dispatchEvent(new Event('none'));
      });
      return call.signal;
    },
    drained: async (ms) => {
      if (open.size === 0) return;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, ms);
      none.addEventListener('none', () => late.resolve(), { once: true });
      await late.promise;
      clearTimeout(timer);
    },
    keyIds: () => [...open.keys()].filter((holder) => !holder.startsWith(ofOwner)),
    closeKey: (keyId) => {
      for (const call of open.get(keyId) ?? []) call.abort();
    },
  };
}
