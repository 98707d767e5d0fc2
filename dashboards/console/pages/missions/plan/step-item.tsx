import { Link } from 'wouter';
import type { Step } from '#console/pages/missions/parts/mission.ts';
import { JsonView } from '#console/ui/data/json-view.tsx';
import { Icon } from '#console/ui/icon.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { spell } from '#console/ui/time.tsx';
import classes from './step-item.module.css';
import { stepStates } from './step-states.ts';

/** One step: what it is, who lets it run, its status; opened, what it takes and gave. */
export function StepItem({ step }: { readonly step: Step }) {
  const { id, title, capability, dependsOn, policy, sensitivity, costUsd, route, at } = step;
  const [words, tone] = stepStates[at.state];
  return (
    <li id={`step-${id}`} className={classes['step']}>
      <details>
        <summary>
          <span className={classes['id']}>
            <Icon name="more" size={12} />
            {id}
          </span>
          <span className={classes['words']}>
            <span className={classes['title']}>{title}</span>
            <span className={classes['facts']}>
              <span className="mono">{capability}</span>
              <span className={policy.decision === 'human' ? classes['asks'] : undefined}>
                {policy.decision === 'human'
                  ? `asks its human (${sensitivity}): ${policy.name}`
                  : `runs by itself: ${policy.name}`}
              </span>
              <span>{costUsd === 0 ? 'free' : `about ${formatMoney(costUsd)}`}</span>
              {dependsOn.length > 0 && <span>after {dependsOn.join(', ')}</span>}
            </span>
            <code className={classes['input']}>{JSON.stringify(at.input ?? step.input)}</code>
            {at.error && <span className={classes['error']}>{at.error.message}</span>}
          </span>
          <span className={classes['state']}>
            <StateBadge state={words} tone={tone} />
            {tookOf(step)}
          </span>
        </summary>
        <div className={classes['inside']}>
          <Data title={at.input === null ? 'Input, as planned' : 'Input'} value={at.input ?? step.input} of={id} />
          {at.output !== null && <Data title="Output" value={at.output} of={id} />}
          {route && route.length > 0 && (
            <div>
              <h3>Route, in turn</h3>
              {route
                .map(({ provider, model, quotedUsd }) => `${provider} ${model}, ${formatMoney(quotedUsd)}`)
                .join('; ')}
            </div>
          )}
          {at.jobId !== null && (
            <div>
              <Link href={`/jobs/${at.jobId}`}>Open its job</Link>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

function Data({ title, value, of }: { readonly title: string; readonly value: unknown; readonly of: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <div className={classes['data']}>
        <JsonView value={value} what={`${title.toLowerCase()} of ${of}`} />
      </div>
    </div>
  );
}

function tookOf({ at: { startedAt, finishedAt } }: Step): string | null {
  if (startedAt === null || finishedAt === null) return null;
  return spell(Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
}
