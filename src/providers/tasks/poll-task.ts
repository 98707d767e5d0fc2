import { setTimeout as sleep } from 'node:timers/promises';
import { EffectRefused } from '#src/jobs/effects/effects.ts';
import { AppError } from '#src/lib/errors.ts';
import { endedCall } from '#src/providers/calls/call-ends.ts';
import type { ProviderCall } from '#src/providers/catalogue/adapter.ts';
import { callTimeoutMs } from '#src/providers/catalogue/catalogue.ts';

/** The first pause between two looks at a task, the longest, and how many looks may fail in a row. */
const pace = { firstMs: 250, longestMs: 5_000, failures: 6 } as const;

/** Status of a task: still under way, or over. */
export type Look<T> = { readonly over: false; readonly stage: string } | { readonly over: true; readonly value: T };

/**
 * Looks at a task until it is over, for as long as a call of its provider may take; after that it is cancelled. Looks
 * cost nothing, so that one that fails is tried again.
 *
 * @throws AppError `provider_failed` on timeout or where the provider reports it, `unavailable` when the task's
 *   status cannot be read any more; the signal's reason
 */
export async function pollTask<T>(
  call: ProviderCall,
  look: (call: ProviderCall) => Promise<Look<T>>,
  cancel: () => Promise<void>,
): Promise<T> {
  const { provider, signal } = call;
  const timeoutMs = callTimeoutMs(provider);
  const late = AbortSignal.timeout(timeoutMs);
  const timed: ProviderCall = { ...call, signal: AbortSignal.any([signal, late]) };
  try {
    return await lookUntilOver(timed, look);
  } catch (error) {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    // a result that no caller waits for need not be made; the provider may no longer take the cancellation
    await cancel().catch((failure: unknown) =>
      call.context.log.debug({ err: failure, provider: provider.id }, 'a late task was not cancelled'),
    );
    throw endedCall('timed_out', `expected ${provider.id} to be done within ${timeoutMs / 1_000} s, and it was not.`, {
      provider: provider.id,
    });
  }
}

async function lookUntilOver<T>(call: ProviderCall, look: (call: ProviderCall) => Promise<Look<T>>): Promise<T> {
  let failures = 0;
  for (let pause: number = pace.firstMs; ; pause = Math.min(pace.longestMs, pause * 1.5)) {
    try {
      const found = await look(call);
      if (found.over) return found.value;
      failures = 0;
      call.progress(found.stage);
    } catch (error) {
      failures += 1;
      if (!(error instanceof AppError)) throw error;
      if (!mayPass(error)) throw asOutcome(error);
      if (failures === pace.failures) throw new AppError('unavailable', error.message, error.details, error);
    }
    await sleep(pause, undefined, { signal: call.signal });
  }
}

/** A look that was refused or never left says nothing of the task, which may be owed for; only its own end does. */
function asOutcome(error: AppError): AppError {
  if (!(error instanceof EffectRefused) || error.details['final'] === true) return error;
  return new AppError(error.code, error.message, error.details, error);
}

/** 429, 5xx and lost answers pass; what the provider says of the task itself does not. */
function mayPass({ code, details }: AppError): boolean {
  if (code !== 'provider_failed' || details['final'] === true) return false;
  const status = details['status'];
  return typeof status !== 'number' || status === 429 || status === 408 || status >= 500 || status === 200;
}
