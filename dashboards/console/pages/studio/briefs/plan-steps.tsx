import { Score } from '#console/pages/studio/parts/score.tsx';
import { shapeOf } from '#console/pages/studio/parts/step-chain.tsx';
import type { Plan, PlanStep } from '#console/pages/studio/parts/studio-types.ts';
import { capabilityTitle } from '#console/pages/studio/parts/words.ts';
import { formatMoney } from '#console/ui/money.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell } from '#console/ui/time.tsx';
import classes from './plan-steps.module.css';

const healthTones = { healthy: 'ok', degraded: 'ask', unhealthy: 'bad' } as const;

/** Each step with its providers, in the order in which they are called. */
export function PlanSteps({ plan: { steps, health } }: { readonly plan: Pick<Plan, 'steps' | 'health'> }) {
  return (
    <ol className={classes['steps']}>
      {steps.map((step) => (
        <li key={step.step}>
          <h3>
            {capabilityTitle(step.capability)} <span className={classes['quiet']}>{shapeOf(step.request)}</span>
          </h3>
          <p className={classes['quiet']}>
            <code>{step.step}</code> · {step.capability}
            {step.after.length > 0 && ` · after ${step.after.join(', ')}`}
          </p>
          <StepRoutes step={step} health={health} />
        </li>
      ))}
    </ol>
  );
}

function StepRoutes({ step, health }: { readonly step: PlanStep; readonly health: Plan['health'] }) {
  return (
    <table className={classes['routes']} aria-label={`Providers of ${step.step}`}>
      <thead>
        <tr>
          <th scope="col">Provider</th>
          <th scope="col">Score</th>
          <th scope="col" className={classes['number']}>
            Cost
          </th>
          <th scope="col" className={classes['number']}>
            Takes
          </th>
          <th scope="col">Health</th>
        </tr>
      </thead>
      <tbody>
        {[step.primary, ...step.backups].map((route, index) => {
          const state = health[route.provider] ?? 'healthy';
          return (
            <tr key={route.provider} data-first={index === 0}>
              <td>
                {route.provider}
                <span className={classes['more']}>
                  {index === 0 ? 'first choice' : `backup ${index}`} · {route.model}
                </span>
              </td>
              <td>
                <Score score={route.score} parts={route.scores} />
              </td>
              <td className={classes['number']}>{formatMoney(route.estimatedCostUsd)}</td>
              <td className={classes['number']}>{spell(route.estimatedLatencyMs / 1_000)}</td>
              <td>
                <StateBadge state={state} tone={healthTones[state as keyof typeof healthTones] ?? 'wait'} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
