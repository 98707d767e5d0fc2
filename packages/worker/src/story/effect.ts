import { EffectRefused, JobError } from '../errors/job-error.ts';
import { jsonCopy } from './json-copy.ts';
import type { Accepted, StoryReport } from './reports.ts';

/** Way to go on after a crash left the outcome unknown: `idempotent` does it again under the same key, `neither` never. */
export type EffectKind = 'idempotent' | 'neither';

export interface EffectOptions<Outcome> {
  readonly kind?: EffectKind;
  /** Name that the other system gave to what was done, from the outcome. */
  readonly externalId?: (outcome: Outcome) => string;
  /** Its cost in dollars, from the outcome: the reservation of a job with a budget is settled by it. */
  readonly costUsd?: (outcome: Outcome) => number;
}

const mostCostUsd = 1_000_000;

/** Makes an effect by its intent and its outcome. @throws JobError `outcome_unknown`; what `fn` throws. */
export async function runEffect<Request, Outcome>(
  send: (report: StoryReport) => Promise<Accepted>,
  name: string,
  request: Request,
  fn: (call: { readonly key: string; readonly request: Request }) => Outcome | Promise<Outcome>,
  { kind = 'neither', externalId, costUsd }: EffectOptions<Outcome> = {},
): Promise<Outcome> {
  const intended = jsonCopy(request, `the request of ${name}`);
  const { effect } = await send({ type: 'effect_intended', name, request: intended });
  if (!effect) throw new Error(`expected the state of the effect ${name}, got none`);
  const { state, key } = effect;
  if (state === 'done') return effect.outcome as Outcome;
  if (state === 'unknown') throw unknownOutcome(name);
  if (state === 'again' && kind === 'neither') {
    await send({ type: 'effect_unknown', name });
    throw unknownOutcome(name);
  }
  const outcome = await attempt(send, name, async () => jsonCopy(await fn({ key, request }), `the effect ${name}`));
  const id = externalId?.(outcome);
  const cost = costUsd?.(outcome);
  const isCost = cost === undefined || (Number.isFinite(cost) && cost >= 0 && cost <= mostCostUsd);
  const { effect: standing } = await send({
    type: 'effect_done',
    name,
    outcome,
    ...(id !== undefined && { external_id: id }),
    ...(cost !== undefined && isCost && { cost_usd: cost }),
  });
  if (!isCost) throw wrongCost(name, cost);
  // another attempt may have made it too, and its outcome was kept first
  return (standing === undefined ? outcome : standing.outcome) as Outcome;
}

/** The outcome is kept by now, without its cost. */
function wrongCost(name: string, cost: number): JobError {
  const expected = `dollars from 0 to ${mostCostUsd}`;
  const message = `costUsd of ${name}: expected ${expected}, got ${cost}. It was done, and its cost is not known.`;
  return new JobError('invalid_cost', message, { retryable: false, details: { effect: name } });
}

/** Tells of a refusal, so that a later attempt does not take the intent for one of a crash. */
async function attempt<T>(
  send: (report: StoryReport) => Promise<Accepted>,
  name: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof EffectRefused)
      await send({ type: 'effect_failed', name, message: (error.message || 'It was refused.').slice(0, 4_000) });
    throw error;
  }
}

function unknownOutcome(name: string): JobError {
  return new JobError(
    'outcome_unknown',
    `Whether ${name} happened is not known and it cannot be repeated; it was not sent again. Look there, then redrive the job.`,
    { retryable: false, details: { effect: name } },
  );
}
