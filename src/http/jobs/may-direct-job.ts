import { assertScope } from '#src/access/keys/grants.ts';
import { isReserved } from '#src/jobs/registry/queue-name.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';

/**
 * The scope that asks for work of a queue, and so may take it back or send it a signal. Where none is listed it is `platform.mcp.execute` for
 * our queues, `jobs.submit` for those that others register.
 */
const scopes: Readonly<Record<string, Scope>> = {
  'studio.render': 'studio.render',
  'studio.publish': 'studio.publish',
  'jobs.act': 'jobs.submit',
  'flows.run': 'jobs.submit',
};

/** @throws AppError `forbidden` naming the scope that is missing; operators need none. */
export function assertMayDirect(principal: Principal, queue: string): void {
  if (principal.operator) return;
  assertScope(principal, scopeOf(queue));
}

/** Checks the same. */
export function mayDirect({ operator, scopes: held }: Principal, queue: string): boolean {
  return operator || held.includes(scopeOf(queue));
}

function scopeOf(queue: string): Scope {
  return scopes[queue] ?? (isReserved(queue) ? 'platform.mcp.execute' : 'jobs.submit');
}
