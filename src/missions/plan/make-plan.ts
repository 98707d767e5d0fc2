import { answerTools } from '#queues/analytics.ts';
import type { Plan, PlanStep, ProposedStep } from '#src/governance/missions/plan.ts';
import { decide } from '#src/governance/missions/policy.ts';
import { questionReader } from '#src/governance/missions/question-reader.ts';
import { AppError } from '#src/lib/errors.ts';
import { checkPlan } from '#src/missions/domain/check-plan.ts';
import { unaccounted } from '#src/missions/domain/goal/account.ts';
import { isDoubtful, planGoal } from '#src/missions/domain/plan-goal.ts';
import { referencesIn } from '#src/missions/domain/references.ts';
import type { Context } from '#src/system/context.ts';
import { capabilities, catalogue } from './catalogue.ts';
import { mediaFault, mediaRoute } from './media.ts';
import { type Modelled, planByModel } from './plan-by-model.ts';
import { CONFIRM, doubtNote, withConfirmation } from './plan-doubts.ts';
import type { PlanRequest } from './plan-request.ts';
import { reachFault } from './reach.ts';
import { withReadShocks } from './read-step-shocks.ts';

interface Proposal {
  readonly planner: Plan['planner'];
  readonly steps: readonly ProposedStep[];
  readonly unmapped: readonly string[];
  /** Parts of the goal without which a human must say yes first. */
  readonly doubts: readonly string[];
  readonly notes: readonly string[];
}

/**
 * The plan of a mission. The client, a model, or the rules built in propose the steps; for all of them the same
 * validator and the same policy decide.
 *
 * @throws AppError `unplannable` when nothing of the goal can be done or the steps do not fit, `budget_exceeded`.
 */
export async function makePlan(context: Context, request: PlanRequest): Promise<Plan> {
  const { planner, steps: proposed, unmapped, doubts, notes } = await propose(context, request);
  if (proposed.length === 0) throw nothingMapped(unmapped, notes);
  const decided = await decideSteps(context, withConfirmation(proposed, doubts), request);
  return { planner, ...decided, unmapped: [...unmapped], notes: [...notes, ...doubtNote(doubts)] };
}

/** Checks proposed steps, and decides who may let each run and what it costs. @throws as {@link makePlan}. */
async function decideSteps(
  context: Context,
  proposed: readonly ProposedStep[],
  { budget, only, policy = 'balanced' }: PlanRequest,
): Promise<Pick<Plan, 'steps' | 'costUsd'>> {
  const { config } = context;
  const unreachable = proposed.flatMap((step) => {
    const fault = reachFault(config, step);
    return fault ? [`${step.id}: ${fault.message.replace(/\.$/, '')}`] : [];
  });
  const checked = checkPlan(proposed, capabilities);
  const unpayable = proposed.flatMap((step) => spendingFaults(config, step));
  const unanswered = proposed.flatMap((step) => questionFaults(context, step));
  const unwanted = only ? proposed.flatMap((step) => unwantedFaults(only, step)) : [];
  const faults = [
    ...unreachable,
    ...unpayable,
    ...unanswered,
    ...unwanted,
    ...('faults' in checked ? checked.faults : []),
  ];
  if ('faults' in checked || faults.length > 0)
    throw new AppError('unplannable', `expected a plan that can run, got: ${faults.join('; ')}.`, { faults });
  const steps: PlanStep[] = [];
  for (const { id, capability: name, title, input, dependsOn } of checked.steps) {
    const capability = capabilities.get(name)!;
    const sensitivity = capability.sensitivityOf?.(input) ?? capability.sensitivity;
    const decided = { sensitivity, policy: decide(config, sensitivity) };
    const route = capability.spends ? await mediaRoute(context, { step: id, input, budget, policy }) : null;
    const cost = route ? { costUsd: route[0].quotedUsd, route } : { costUsd: priceOf(config, name) };
    steps.push({ id, capability: name, title: title ?? capability.title, input, dependsOn, ...decided, ...cost });
  }
  const costUsd = Math.round(steps.reduce((sum, step) => sum + step.costUsd, 0) * 1e6) / 1e6;
  if (budget !== null && costUsd * 1e6 > budget)
    throw new AppError(
      'budget_exceeded',
      `expected a plan of at most $${budget / 1e6}, got one estimated at $${costUsd}: raise budgetUsd or ask for less.`,
      { costUsd, budgetUsd: budget / 1e6 },
    );
  return { steps, costUsd };
}

/**
 * Takes the client's proposal where it names steps, else the model's where there is one and its plan passes, else that
 * of the rules.
 */
async function propose(context: Context, request: PlanRequest): Promise<Proposal> {
  const { goal, inputs, steps } = request;
  if (steps) return { planner: 'client', steps: withReadShocks(steps), unmapped: [], doubts: [], notes: [] };
  const modelled = await planByModel(context, request, async (proposed) => {
    await decideSteps(context, withReadShocks(proposed), request);
  });
  if ('steps' in modelled) return accounted(goal, modelled);
  const symbols = answerTools.symbol.enum;
  const known = symbols.find((one) => one === inputs['symbol']);
  const rules = planGoal(goal, { symbol: known, symbols, readQuestion: questionReader(context).read });
  return { planner: 'rules', ...rules, notes: [...modelled.notes, ...rules.notes] };
}

/** The plan of a model with the parts of the goal that it neither does nor names, which a model may have overlooked. */
function accounted(goal: string, { steps, unmapped, notes }: Modelled): Proposal {
  const read = withReadShocks(steps);
  const overlooked = unaccounted(goal, read, unmapped);
  const doubts = [...unmapped.filter(isDoubtful), ...overlooked];
  return { planner: 'model', steps: read, unmapped: [...unmapped, ...overlooked], doubts, notes };
}

/** A step that pays is planned with what it costs, so nothing of it may be open. */
function spendingFaults(config: Context['config'], { id, capability, input }: ProposedStep): string[] {
  if (!capabilities.get(capability)?.spends) return [];
  const off = mediaFault(config);
  if (off) return [`${id}: ${off.message.replace(/\.$/, '')}`];
  if (referencesIn(input).length === 0) return [];
  return [`${id}: expected an input without $from, since its providers and their prices are part of what is approved`];
}

/**
 * Finds the faults of a question: one without an answer is refused before its mission begins. A question that an
 * earlier step writes cannot be read yet.
 */
function questionFaults(context: Context, { id, capability, input: { question, symbol } }: ProposedStep): string[] {
  const { read } = questionReader(context);
  if (capability !== 'analytics.oracle' || typeof question !== 'string' || read === null) return [];
  const known = answerTools.symbol.enum.find((one) => one === symbol);
  const { refusal } = read(question, known);
  return refusal === null
    ? []
    : [`${id}: expected a question that the analyses answer, got one they do not: ${refusal}`];
}

/** Finds steps that were not requested: such a step is not planned, whether a client, a model or a rule proposes it. */
function unwantedFaults(only: readonly string[], { id, capability, input }: ProposedStep): string[] {
  const { capability: made } = input;
  const names = [capability, ...(capabilities.get(capability)?.spends && typeof made === 'string' ? [made] : [])];
  if (names.some((name) => only.includes(name))) return [];
  if (capability === CONFIRM) return [];
  return [`${id}: expected one of the requested capabilities (${only.join(', ')}), got ${names.join(' for ')}`];
}

/** Returns the estimated cost of a step of this capability, dollars. */
function priceOf({ MISSION_PRICES }: Context['config'], capability: string): number {
  const listed = MISSION_PRICES.find((one) => one.startsWith(`${capability}=`));
  return Number(listed?.slice(capability.length + 1) ?? 0);
}

function nothingMapped(unmapped: readonly string[], notes: readonly string[]): AppError {
  const can = catalogue.map(({ name, title }) => `${name} (${title})`);
  return new AppError(
    'unplannable',
    `expected a goal that asks for something this service does, got none${notes.length > 0 ? ` (${notes.join(' ')})` : ''}: say it in English with a symbol or an address, or give \`steps\`. It can: ${can.join('; ')}.`,
    { unmapped, notes, capabilities: catalogue.map(({ name }) => name) },
  );
}
