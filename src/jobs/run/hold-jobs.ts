import { controlChannel } from '#src/jobs/model/channels.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Context } from '#src/system/context.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { type Holder, holdLease, type Lease } from './lease.ts';

/** A job that this process runs. */
export interface Running {
  readonly stop: AbortController;
  /** performance.now() */
  readonly claimedAt: number;
  readonly done: PromiseWithResolvers<void>;
}

/** Holds a lease for what a process runs: stops what is no longer its own, and gives back what it does not run. */
export async function holdJobs(
  context: Context,
  fleet: string,
  kind: Pick<Holder, 'suspects' | 'takes' | 'capacity'>,
  running: ReadonlyMap<string, Running>,
): Promise<Lease> {
  const unknown = new Map<string, number>();
  return await holdLease(context, fleet, {
    ...kind,
    onBeat: (known, at) => {
      // cancelled while its message was lost, or taken over: stop what the database does not know as ours
      for (const [id, { stop, claimedAt }] of running)
        if (claimedAt < at && !known.has(id)) stop.abort(new StopReason('cancelled'));
      return longUnknown(known, running, unknown);
    },
    onLost: () => {
      const ids = [...running.keys()];
      for (const { stop } of running.values()) stop.abort(new StopReason('lease_lost'));
      return ids;
    },
  });
}

/**
 * Jobs the database counts as ours and we do not run, seen at three beats in a row: at one, a claim or settlement may
 * be under way.
 */
function longUnknown(
  known: ReadonlySet<string>,
  running: ReadonlyMap<string, Running>,
  unknown: Map<string, number>,
): string[] {
  for (const id of unknown.keys()) if (!known.has(id) || running.has(id)) unknown.delete(id);
  for (const id of known) if (!running.has(id)) unknown.set(id, (unknown.get(id) ?? 0) + 1);
  return [...unknown].filter(([, beats]) => beats > 2).map(([id]) => id);
}

/** Stops running jobs that were cancelled elsewhere. A lost message is made good by the next beat. */
export function hearCancels(
  context: Context,
  running: ReadonlyMap<string, Running>,
): { readonly disconnect: () => void } {
  const { config, log } = context;
  const control = openSubscriber(config, (error) => log.debug({ err: error }, 'control'));
  control.on('message', (_channel: string, text: string) => {
    const id = cancelledBy(text);
    if (id !== undefined) running.get(id)?.stop.abort(new StopReason('cancelled'));
    else log.warn({ text: text.slice(0, 200) }, 'a text on the control channel that is no control message was ignored');
  });
  control.subscribe(controlChannel(config)).catch((error: unknown) => log.debug({ err: error }, 'control'));
  return control;
}

/** The job that a control message cancels; anyone on the same Redis can publish, so anything may come. */
export function cancelledBy(text: string): string | undefined {
  try {
    const message: { cancel?: unknown } | null = JSON.parse(text);
    return typeof message?.cancel === 'string' ? message.cancel : undefined;
  } catch {
    return undefined;
  }
}
