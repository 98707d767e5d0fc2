import { usdText } from '#src/lib/money.ts';
import { providersOf } from './bodies.ts';
import type { Plan } from './store.ts';

/**
 * Describes exactly what rendering a plan does: an approval is requested for it, and compared with it when used.
 *
 * @param ceiling millionths of a dollar
 */
export function renderEffect({ id, plan, planHash }: Plan, ceiling: number): Readonly<Record<string, unknown>> {
  return {
    kind: 'render',
    planId: id,
    planSha256: planHash,
    // as text: a fraction has more than one spelling
    maxCostUsd: usdText(ceiling / 1e6),
    providers: providersOf(plan.steps),
    makes: plan.steps.map(({ step, capability }) => `${step} (${capability})`),
    prompt: plan.prompt,
  };
}
