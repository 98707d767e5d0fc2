import { fleets } from '#queues/fleets.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Handler } from '#workers/run/processor.ts';
import { handlers } from './handlers.ts';

/**
 * The handlers of a fleet, or of single queues by name.
 *
 * @throws AppError `invalid_configuration` for a name that is neither.
 */
export function handlersOf(names: readonly string[]): readonly Handler[] {
  const wanted = new Set(names.flatMap((name) => fleets[name] ?? [name]));
  return [...wanted].map((name) => {
    const known = handlers.find(({ queue }) => queue.name === name);
    if (known) return known;
    throw new AppError(
      'invalid_configuration',
      `Expected a fleet (${Object.keys(fleets).join(', ')}) or a queue, got ${JSON.stringify(name)}.`,
    );
  });
}
