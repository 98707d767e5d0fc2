import type { FastifyRequest } from 'fastify';
import { assertAnyScope } from '#src/access/keys/grants.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Selection } from '#src/jobs/actions/selection.ts';
import { type Action, actionStates } from '#src/jobs/model/action-states.ts';
import type { State } from '#src/jobs/model/states.ts';
import { mayKnow } from '#src/jobs/registry/own-queue.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import type { ActionFilter } from './action-body.ts';
import { assertMayDirect, assertMayRedrive, assertRedrives, mayDirect, mayRedrive } from './may-direct-job.ts';

/** Scopes that ask for work of some queue. */
const actingScopes = ['studio.render', 'studio.publish', 'platform.mcp.execute', 'jobs.submit', 'jobs.manage'] as const;

/** Before anything of the request is read. @throws AppError `forbidden` for a key that may act on no job */
export async function assertActs(request: FastifyRequest): Promise<void> {
  const principal = principalOf(request);
  if (!principal.operator) assertAnyScope(principal, actingScopes);
}

/** Redriving asks for more, as it does for one job. @throws AppError `forbidden` */
export function assertMayAct(principal: Principal, action: Action): void {
  if (action === 'redrive') assertRedrives(principal);
}

/**
 * A caller's filter as it is kept: with the owner and the queues that the caller may act on, and times instead of ages.
 *
 * @throws AppError `forbidden` for the jobs of others, `invalid_request` for a queue that the caller does not know, or a
 *   state that the action does not take
 */
export async function selectionOf(
  context: Context,
  principal: Principal,
  action: Action,
  filter: ActionFilter,
): Promise<Selection> {
  const { group, error_code: errorCode, created_after: createdAfter, parent, text } = filter;
  const owner = ownerOf(principal, filter.owner);
  const queues = await queuesOf(context, principal, action, filter.queue);
  const createdBefore = earliest(filter);
  return {
    states: statesOf(action, filter.state),
    ...(owner !== undefined && { owner }),
    ...(queues && { queues }),
    ...(parent !== undefined && { parent }),
    ...(group !== undefined && { group }),
    ...(errorCode !== undefined && { errorCode }),
    ...(createdAfter !== undefined && { createdAfter }),
    ...(createdBefore !== undefined && { createdBefore }),
    ...(text !== undefined && { text }),
    ...(action === 'redrive' && !principal.operator && { isApproved: false }),
  };
}

function statesOf(action: Action, state: State | undefined): State[] {
  const taken: readonly State[] = actionStates[action];
  if (state === undefined) return [...taken];
  if (taken.includes(state)) return [state];
  throw wrong('state', `a state that ${action} takes (${taken.join(', ')})`, state);
}

function ownerOf({ owner: self, operator }: Principal, wanted: string | undefined): string | undefined {
  if (operator) return wanted;
  if (wanted === undefined || wanted === self) return self;
  throw new AppError(
    'forbidden',
    `expected a key of an operator with owner=${wanted}, got one without that flag: leave owner out for your own jobs.`,
    { operator: false, reason: 'operator' },
  );
}

/** The queues that the caller may act on; undefined for all there are. */
async function queuesOf(
  context: Context,
  principal: Principal,
  action: Action,
  wanted: string | undefined,
): Promise<string[] | undefined> {
  const registry = registryOf(context);
  const owner = principal.operator ? null : principal.owner;
  if (wanted !== undefined) {
    if (!(await registry.find(wanted)) || !mayKnow(context, owner, wanted))
      throw wrong('queue', 'a queue (GET /v1/queues lists them)', wanted);
    if (action === 'redrive') assertMayRedrive(principal, { queue: wanted, approvalId: null });
    else assertMayDirect(principal, wanted);
    return [wanted];
  }
  if (principal.operator) return undefined;
  await registry.refresh();
  const may = action === 'redrive' ? mayRedrive : mayDirect;
  return registry.names().filter((name) => mayKnow(context, owner, name) && may(principal, name));
}

/** The earlier one of a time and an age. */
function earliest({ created_before: before, older_than_s: age }: ActionFilter): string | undefined {
  const old = age === undefined ? undefined : new Date(Date.now() - age * 1_000).toISOString();
  if (before === undefined || old === undefined) return before ?? old;
  return Date.parse(before) < Date.parse(old) ? before : old;
}

function wrong(name: string, expected: string, value: string): AppError {
  const field = `body.filter.${name}`;
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${value}.`, { field, value });
}
