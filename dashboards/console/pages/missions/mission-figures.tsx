import { Progress } from '@mantine/core';
import { type Mission, stepsOf } from '#console/pages/missions/parts/mission.ts';
import { Figures } from '#console/ui/data/figures.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Ago, spell } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './mission-figures.module.css';

/** Progress of a mission in steps, money and time. */
export function MissionFigures({ of }: { readonly of: Mission }) {
  const steps = stepsOf(of);
  const done = steps.filter(({ at }) => at.state === 'succeeded').length;
  const { spentUsd, budgetUsd, plan } = of;
  const approvals = steps.filter(({ policy }) => policy.decision === 'human').length;
  return (
    <Figures
      figures={[
        {
          name: 'Steps done',
          value: `${done} of ${steps.length}`,
          note: <Share label="Steps done" of={steps.length} is={done} />,
        },
        {
          name: 'Spent',
          value: formatMoney(spentUsd),
          note:
            budgetUsd === null ? (
              'no bound was set'
            ) : (
              <>
                of at most {formatMoney(budgetUsd)}
                <Share label="Budget used" of={budgetUsd} is={spentUsd} />
              </>
            ),
        },
        { name: 'Estimated', value: formatMoney(plan.costUsd), note: 'what the plan expects' },
        {
          name: 'Asks a human',
          value: approvals === 0 ? 'never' : counted(approvals, 'time'),
          note: approvals === 0 ? 'it only reads and computes' : 'before what has an effect',
        },
        { name: 'Time', value: timeOf(of), note: noteOf(of) },
      ]}
    />
  );
}

function Share({ label, of, is }: { readonly label: string; readonly of: number; readonly is: number }) {
  const percent = of === 0 ? 0 : Math.min(100, (is / of) * 100);
  return <Progress className={classes['bar'] ?? ''} size="xs" value={percent} aria-label={label} />;
}

function timeOf({ executedAt, finishedAt }: Mission) {
  if (executedAt === null) return 'not started';
  if (finishedAt === null) return 'under way';
  return spell(Math.max(0, Date.parse(finishedAt) - Date.parse(executedAt)) / 1_000);
}

function noteOf({ executedAt, finishedAt, deadlineAt, createdAt }: Mission) {
  if (finishedAt !== null) return <>ended {<Ago at={finishedAt} />}</>;
  if (executedAt === null || deadlineAt === null) return <>planned {<Ago at={createdAt} />}</>;
  return <>must end {<Ago at={deadlineAt} />}</>;
}
