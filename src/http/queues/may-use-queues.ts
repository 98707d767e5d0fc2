import type { FastifyRequest } from 'fastify';
import { assertAnyScope, assertScope } from '#src/access/keys/grants.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { jobScopes } from '#src/lib/principal.ts';

/** The rules below, for readers of descriptions of routes. */
export const mayReadWords = `Needs a key with one of the scopes ${jobScopes.map((scope) => `\`${scope}\``).join(', ')}, or one of an operator.`;
export const mayManageWords = 'Needs a key with scope `jobs.manage`, or one of an operator.';

/** Before anything of the request is read. @throws AppError `forbidden` for a key without any scope over jobs. */
export async function assertMayRead(request: FastifyRequest): Promise<void> {
  const principal = principalOf(request);
  if (!principal.operator) assertAnyScope(principal, jobScopes);
}

/** Before anything of the request is read. @throws AppError `forbidden` for a key that registers no queues. */
export async function assertMayManage(request: FastifyRequest): Promise<void> {
  const principal = principalOf(request);
  if (!principal.operator) assertScope(principal, 'jobs.manage');
}
