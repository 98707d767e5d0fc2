import { type Mission, stepsOf } from '#console/pages/missions/parts/mission.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { PlanGraph } from './plan-graph.tsx';
import classes from './plan-panel.module.css';
import { StepItem } from './step-item.tsx';

const planners = {
  rules: 'planned by rules',
  model: 'planned by a model, checked by rules',
  client: 'as requested',
};

/** Steps of a mission in order: each with the policy that lets it run, and its status. */
export function PlanPanel({ of }: { readonly of: Mission }) {
  const { unmapped, notes, planner } = of.plan;
  const steps = stepsOf(of);
  return (
    <Panel title="Plan" aside={planners[planner]} flush>
      {(unmapped.length > 0 || notes.length > 0) && (
        <div className={classes['notes']}>
          {unmapped.length > 0 && (
            <div className={classes['note']}>
              <Icon name="alert" />
              <div>
                <strong>Not part of the plan:</strong> nothing here does this. Say it in other words, or leave it out.
                <ul>
                  {unmapped.map((part) => (
                    <li key={part}>“{part}”</li>
                  ))}
                </ul>
              </div>
            </div>
          )}
          {notes.map((note) => (
            <p key={note} className={classes['note']}>
              {note}
            </p>
          ))}
        </div>
      )}
      {steps.length > 1 && <PlanGraph steps={steps} />}
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <StepItem key={step.id} step={step} />
        ))}
      </ol>
    </Panel>
  );
}
