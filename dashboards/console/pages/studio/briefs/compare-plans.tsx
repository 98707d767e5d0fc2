import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Plan } from '#console/pages/studio/parts/studio-types.ts';
import { areaWords, capabilityTitle, policyWords } from '#console/pages/studio/parts/words.ts';
import { formatMoney } from '#console/ui/money.tsx';
import { Ago, spell } from '#console/ui/time.tsx';
import classes from './compare-plans.module.css';

/** Columns that can be told apart at a glance. */
const MOST = 4;

interface Row {
  readonly name: string;
  readonly cell: (plan: Plan) => ReactNode;
  /** Marks the plan that is best by this. */
  readonly best?: (plan: Plan) => number;
}

const rows: readonly Row[] = [
  { name: 'Estimated', cell: (plan) => <Cost plan={plan} />, best: ({ estimatedCostUsd }) => estimatedCostUsd },
  {
    name: 'At most',
    cell: ({ maximumCostUsd }) => formatMoney(maximumCostUsd),
    best: ({ maximumCostUsd }) => maximumCostUsd,
  },
  { name: 'Budget', cell: ({ budgetUsd }) => (budgetUsd === null ? 'none' : formatMoney(budgetUsd)) },
  {
    name: 'Takes about',
    cell: ({ estimatedLatencyMs }) => spell(estimatedLatencyMs / 1_000),
    best: ({ estimatedLatencyMs }) => estimatedLatencyMs,
  },
  {
    name: 'Touches',
    cell: ({ approvalBoundary }) => approvalBoundary.areas.map(({ area }) => areaWords[area]).join(', '),
  },
];

/** The newest plans of a brief, a column each: what they cost, how long they take, and who does each step. */
export function ComparePlans({ plans }: { readonly plans: readonly Plan[] }) {
  const shown = plans.slice(0, MOST);
  const steps = [...new Map(shown.flatMap((plan) => plan.steps).map((one) => [one.step, one.capability]))];
  return (
    <section className={classes['scroll']} aria-label="Plans side by side" tabIndex={-1}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">
              <span className="only-heard">What</span>
            </th>
            {shown.map(({ id, routePolicy, createdAt }) => (
              <th key={id} scope="col">
                <Link href={`/studio/plans/${id}`}>{policyWords[routePolicy].title}</Link>
                <span className={classes['more']}>
                  <Ago at={createdAt} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cell, best }) => {
            const least = best && shown.length > 1 ? Math.min(...shown.map(best)) : null;
            const most = best && shown.length > 1 ? Math.max(...shown.map(best)) : null;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                {shown.map((plan) => (
                  <td key={plan.id} data-best={best !== undefined && least !== most && best(plan) === least}>
                    {cell(plan)}
                  </td>
                ))}
              </tr>
            );
          })}
          {steps.map(([step, capability]) => (
            <tr key={step}>
              <th scope="row">
                {capabilityTitle(capability)}
                <span className={classes['more']}>{step}</span>
              </th>
              {shown.map((plan) => (
                <td key={plan.id}>
                  <StepRoute plan={plan} step={step} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">Go on with</th>
            {shown.map(({ id, routePolicy }) => (
              <td key={id}>
                <Link href={`/studio/plans/${id}`} aria-label={`Open the plan: ${policyWords[routePolicy].title}`}>
                  Open the plan
                </Link>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {plans.length > MOST && (
        <p className={classes['rest']}>
          The newest {MOST} of {plans.length} plans.
        </p>
      )}
    </section>
  );
}

function Cost({ plan: { estimatedCostUsd, budgetUsd } }: { readonly plan: Plan }) {
  const isExceeded = budgetUsd !== null && estimatedCostUsd > budgetUsd;
  return (
    <>
      <strong>{formatMoney(estimatedCostUsd)}</strong>
      {isExceeded && <span className={classes['over']}>above its budget</span>}
    </>
  );
}

function StepRoute({ plan, step }: { readonly plan: Plan; readonly step: string }) {
  const found = plan.steps.find((one) => one.step === step);
  if (!found) return '—';
  const { provider, estimatedCostUsd, estimatedLatencyMs } = found.primary;
  return (
    <>
      {provider}
      <span className={classes['more']}>
        {formatMoney(estimatedCostUsd)} · {spell(estimatedLatencyMs / 1_000)}
        {found.backups.length > 0 && ` · ${found.backups.length} in reserve`}
      </span>
    </>
  );
}
