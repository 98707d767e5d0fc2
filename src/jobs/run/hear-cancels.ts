import { controlChannel } from '#src/jobs/model/channels.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import type { Context } from '#src/system/context.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import type { Running } from './hold-jobs.ts';

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
    else log.warn({ text: text.slice(0, 200) }, 'a control message that is none was ignored');
  });
  control.subscribe(controlChannel(config)).catch((error: unknown) => log.debug({ err: error }, 'control'));
  return control;
}

/** The job that a control message cancels; anyone on the same Redis can publish, so anything may come. */
function cancelledBy(text: string): string | undefined {
  try {
    const message: { cancel?: unknown } | null = JSON.parse(text);
    return typeof message?.cancel === 'string' ? message.cancel : undefined;
  } catch {
    return undefined;
  }
}
