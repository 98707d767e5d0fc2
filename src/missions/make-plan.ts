import { answerTools } from '#queues/analytics.ts';
import type { Plan, ProposedStep } from '#src/governance/plan.ts';
import { decide } from '#src/governance/policy.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { capabilities, catalogue } from './catalogue.ts';
import { checkPlan } from './domain/check-plan.ts';
import { planGoal } from './domain/plan-goal.ts';

export interface PlanRequest {
  readonly goal: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Steps that the client wants; the planner is not asked then. */
  readonly steps?: readonly ProposedStep[];
  /** Millionths of a dollar; null for no bound. */
  readonly budget: number | null;
}

interface Proposal {
  readonly planner: Plan['planner'];
  readonly steps: readonly ProposedStep[];
  readonly unmapped: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The plan of a mission. Whoever proposes the steps (the client, a model, or the rules built in), the same validator and
 * the same policy decide over them.
 *
 * @throws AppError `unplannable` when nothing of the goal can be done or the steps do not fit, `budget_exceeded`.
 */
export async function makePlan(context: Context, request: PlanRequest): Promise<Plan> {
  const { planner, steps: proposed, unmapped, notes } = propose(request);
  if (proposed.length === 0) throw nothingMapped(unmapped);
  const checked = checkPlan(proposed, capabilities);
  if ('faults' in checked)
    throw new AppError('unplannable', `expected a plan that can run, got: ${checked.faults.join('; ')}.`, {
      faults: checked.faults,
    });
  const steps = checked.steps.map((step) => {
    const capability = capabilities.get(step.capability)!;
    return {
      id: step.id,
      capability: step.capability,
      title: step.title ?? capability.title,
      input: step.input,
      dependsOn: step.dependsOn,
      sensitivity: capability.sensitivity,
      policy: decide(context.config, capability.sensitivity),
      costUsd: priceOf(context.config, step.capability),
    };
  });
  const costUsd = Math.round(steps.reduce((sum, step) => sum + step.costUsd, 0) * 1e6) / 1e6;
  if (request.budget !== null && costUsd * 1e6 > request.budget)
    throw new AppError(
      'budget_exceeded',
      `expected a plan of at most $${request.budget / 1e6}, got one estimated at $${costUsd}: raise budgetUsd or ask for less.`,
      { costUsd, budgetUsd: request.budget / 1e6 },
    );
  return { planner, steps, unmapped: [...unmapped], notes: [...notes], costUsd };
}

function propose({ goal, inputs, steps }: PlanRequest): Proposal {
  if (steps) return { planner: 'client', steps, unmapped: [], notes: [] };
  const { symbol } = inputs;
  const symbols = answerTools.symbol.enum;
  const known = symbols.find((one) => one === symbol);
  return { planner: 'rules', ...planGoal(goal, { symbol: known, symbols }) };
}

/** What a step of this capability is estimated to cost, dollars. */
function priceOf({ MISSION_PRICES }: Context['config'], capability: string): number {
  const listed = MISSION_PRICES.find((one) => one.startsWith(`${capability}=`));
  return Number(listed?.slice(capability.length + 1) ?? 0);
}

function nothingMapped(unmapped: readonly string[]): AppError {
  const can = catalogue.map(({ name, title }) => `${name} (${title})`);
  return new AppError(
    'unplannable',
    `expected a goal that asks for something this service does, got none: say it in English with a symbol or an address, or give \`steps\`. It can: ${can.join('; ')}.`,
    { unmapped, capabilities: catalogue.map(({ name }) => name) },
  );
}
