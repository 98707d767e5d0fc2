import { assertScope } from '#src/access/keys/grants.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';

/** The scope that asks for work of a queue, and so may take it back; `platform.mcp.execute` where none is listed. */
const scopes: Readonly<Record<string, Scope>> = {
  'studio.render': 'studio.render',
  'studio.publish': 'studio.publish',
};

/** @throws AppError `forbidden` naming the scope that is missing; operators need none. */
export function assertMayCancel(principal: Principal, queue: string): void {
  if (principal.operator) return;
  assertScope(principal, scopes[queue] ?? 'platform.mcp.execute');
}
