import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import { usdText } from '#src/lib/money.ts';
import { genesisOf } from '#src/receipts/format/event-chain.ts';
import type { SealedMission } from '#src/receipts/format/receipt-schema.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { tellMissions } from './change-mission.ts';
import { openMissionLog } from './mission-log.ts';
import type { Mission } from './mission-row.ts';
import { findRequested, readMission } from './mission-store.ts';
import type { Plan } from './plan.ts';
import { privateHash } from './salts.ts';

const keptRow = row(Type.Object({ id: Type.String(), epoch: Type.Union([Type.String(), Type.Null()]) }));

export interface NewMission {
  readonly owner: string;
  /** The verified human behind the caller, 64 hexadecimal digits. */
  readonly human: string;
  readonly goal: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Millionths of a dollar; null for no bound. */
  readonly budget: number | null;
  /** Seconds that it may run once it executes. */
  readonly timeoutS: number;
  /** Same owner and key: same mission. */
  readonly idempotencyKey?: string;
  /** The client's request as text; a repetition is recognised by it. */
  readonly request: string;
}

/**
 * Accepts a mission: stored with its plan and the first events of its chain in one transaction. Goal and inputs are
 * such as {@link assertExactText} takes.
 *
 * @throws AppError `idempotency_conflict`, `invalid_request` for a plan with text that cannot be hashed or stored, or
 *   what `plan` throws; it is called for new missions alone.
 */
export async function createMission(
  context: Context,
  request: NewMission,
  plan: () => Promise<Plan>,
): Promise<{ readonly mission: Mission; readonly created: boolean }> {
  const { owner, idempotencyKey } = request;
  const requestHash = hash('sha256', request.request, 'buffer');
  const known = await find(context, owner, idempotencyKey, requestHash);
  if (known) return { mission: known, created: false };
  const id = randomUUIDv7();
  const planned = await plan();
  assertExactText(planned);
  const stored = await store(context, id, request, requestHash, planned);
  const mission = stored
    ? await readMission(context, id)
    : // another request under the same key was quicker
      await find(context, owner, idempotencyKey, requestHash);
  if (!mission) throw new Error('a mission was stored and is not there');
  return { mission, created: stored };
}

async function find(
  context: Context,
  owner: string,
  key: string | undefined,
  requestHash: Buffer,
): Promise<Mission | null> {
  if (key === undefined) return null;
  const known = await findRequested(context, owner, key, requestHash);
  if (known && !known.same) throw idempotencyConflict(key, { kind: 'mission', id: known.id });
  return known && (await readMission(context, known.id));
}

/**
 * Checks that a value can be hashed and then stored as it came, with no other text in its place. @throws AppError
 * `invalid_request`.
 */
export function assertExactText(value: unknown): void {
  const wrong = (expected: string) => new AppError('invalid_request', `body: expected ${expected}.`, { field: 'body' });
  const text = tryCanonical(value);
  if (text === null) throw wrong('text without lone surrogates, and at most 100 levels of nesting');
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw wrong('text without the character U+0000');
}

function tryCanonical(value: unknown): string | null {
  try {
    return canonicalText(value);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** False where another mission of this owner has the idempotency key. */
async function store(
  context: Context,
  id: string,
  { owner, human, goal, inputs, budget, timeoutS, idempotencyKey }: NewMission,
  requestHash: Buffer,
  plan: Plan,
): Promise<boolean> {
  const salt = randomBytes(32);
  const createdAt = new Date().toISOString();
  const sealed = sealedMission({ id, goal, plan, salt, createdAt: new Date(createdAt) });
  const genesis = genesisOf(sealed);
  const log = openMissionLog({ head: genesis, chained: 0, events: 0 });
  log.add('mission.created', {
    planner: plan.planner,
    steps: plan.steps.length,
    costUsd: usdText(plan.costUsd),
    budgetUsd: budget === null ? null : usdText(budget / 1e6),
  });
  for (const { id: step, capability, policy } of plan.steps)
    log.add('policy.evaluated', {
      step,
      capability,
      policy: policy.name,
      decision: policy.decision,
      assurance: policy.assurance,
    });
  const { head, chained, events } = log.end();
  const steps = plan.steps.map((step, position) => [step.id, position]);
  const rows = log.added.map((event) => [
    event.seq,
    event.type,
    event.at,
    JSON.stringify(event.data),
    event.prev,
    event.hash,
  ]);
  const kept = await context.db.maybeOne(sql.type(keptRow)`
    with kept as (
      insert into missions (id, owner, human, goal, inputs, plan, salt, state, budget, timeout_s, genesis, head, chained,
        events, idempotency_key, request_hash, created_at)
      values (${id}, ${owner}, ${human}, ${goal}, ${JSON.stringify(inputs)}, ${JSON.stringify(plan)}, ${sql.binary(salt)},
        'planned', ${budget}, ${timeoutS}, ${genesis}, ${head}, ${chained}, ${events}, ${idempotencyKey ?? null},
        ${sql.binary(requestHash)}, ${createdAt})
      on conflict do nothing returning id
    ), stepped as (
      insert into mission_steps (mission, step, position, state)
      select id, step, position, 'waiting' from kept, ${sql.unnest(steps, ['text', 'int2'])} as u (step, position)
    ), told as (
      insert into mission_events (mission, seq, type, at, data, prev, hash)
      select id, seq, type, at, data, prev, hash
      from kept, ${sql.unnest(rows, ['int4', 'text', 'text', 'jsonb', 'text', 'text'])} as u (seq, type, at, data, prev, hash)
    )
    select id, (select epoch from relay) as epoch from kept`);
  if (kept) await tellMissions(context, [{ id, events: log.added }], kept.epoch);
  return kept !== null;
}

/** Returns the mission as the chain begins with it and the receipt shows it: nothing private but by its salted hash. */
export function sealedMission(mission: Pick<Mission, 'id' | 'goal' | 'plan' | 'salt' | 'createdAt'>): SealedMission {
  const { id, goal, plan, createdAt } = mission;
  return {
    id,
    goalSha256: privateHash(mission, 'goal', goal),
    planSha256: privateHash(mission, 'plan', plan),
    createdAt: createdAt.toISOString(),
  };
}
