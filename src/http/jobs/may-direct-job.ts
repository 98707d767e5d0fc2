import { flowQueue } from '#queues/flows.ts';
import { assertOperator, assertScope } from '#src/access/keys/grants.ts';
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

/**
 * Checks whether a caller may run failed jobs of a queue again: an operator any, others flows of theirs and jobs of queues
 * that they registered.
 */
export function mayRedrive({ operator, scopes: held }: Principal, queue: string): boolean {
  return operator || (!isOurs(queue) && held.includes('jobs.manage'));
}

/**
 * Lets an owner run a failed job again: what it does is code of theirs. Jobs of ours touch money and providers, and a
 * decision was made about one run: these are for operators.
 *
 * @throws AppError `forbidden` naming what is missing
 */
export function assertMayRedrive(
  principal: Principal,
  { queue, approvalId }: { readonly queue: string; readonly approvalId: string | null },
): void {
  if (isOurs(queue) || approvalId !== null) return assertOperator(principal);
  if (!principal.operator) assertScope(principal, 'jobs.manage');
}

/** A flow runs jobs of its owner alone. */
const isOurs = (queue: string): boolean => isReserved(queue) && queue !== flowQueue.name;

/** Before anything of a job is read. @throws AppError `forbidden` for a caller that may run no job again */
export function assertRedrives(principal: Principal): void {
  if (!principal.operator) assertScope(principal, 'jobs.manage');
}
