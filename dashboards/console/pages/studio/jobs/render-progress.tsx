import { Progress as Bar } from '@mantine/core';
import { AssetGrid } from '#console/pages/studio/assets/asset-grid.tsx';
import type { Asset, Plan, PlanStep, StudioJob } from '#console/pages/studio/parts/studio-types.ts';
import { useProgress } from '#console/pages/studio/parts/use-progress.ts';
import { useAssets } from '#console/pages/studio/parts/use-studio.ts';
import { capabilityTitle } from '#console/pages/studio/parts/words.ts';
import { Panel } from '#console/ui/panel.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './render-progress.module.css';

/** The steps of a render: what is done, what runs, what waits for it; and what was made so far. */
export function RenderProgress({ job, plan }: { readonly job: StudioJob; readonly plan: Plan }) {
  const progress = useProgress(job);
  const assets = useAssets({ job: job.id, limit: 50 });
  const made = assets.data?.assets ?? [];
  const isRunning = job.status === 'running';
  const isDone = job.status === 'succeeded';
  const done = new Set(plan.steps.map(({ step }) => step).filter((step) => isDone || isMade(step, made)));
  const share = isDone ? 1 : Math.max(done.size, progress?.done ?? 0) / (plan.steps.length + 1);
  return (
    <Panel title="Steps" aside={isRunning && progress?.stage === 'sealing' ? 'the receipt is sealed' : undefined}>
      {!isDone && job.status !== 'failed' && job.status !== 'cancelled' && (
        <Bar
          value={Math.round(share * 100)}
          size="sm"
          mb="md"
          animated={isRunning}
          aria-label={`done: ${done.size} of ${counted(plan.steps.length, 'step')}`}
        />
      )}
      <ol className={classes['steps']}>
        {plan.steps.map((step) => (
          <li key={step.step}>
            <span>
              {capabilityTitle(step.capability)} <span className="quiet">{step.step}</span>
            </span>
            <span className="quiet">{step.primary.provider}</span>
            <StateBadge {...stateOf(step, job, done)} />
          </li>
        ))}
      </ol>
      {!isDone && made.length > 0 && (
        <div className={classes['made']}>
          <h3>Made so far</h3>
          <AssetGrid assets={made} />
        </div>
      )}
    </Panel>
  );
}

/** Checks whether a step has made an asset: such an asset has its name, or one that begins with it. */
function isMade(step: string, made: readonly Asset[]): boolean {
  return made.some(({ name }) => name === step || name.startsWith(`${step}-`));
}

function stateOf(step: PlanStep, { status }: StudioJob, done: ReadonlySet<string>) {
  if (done.has(step.step)) return { state: 'done', tone: 'ok' } as const;
  if (status === 'failed' || status === 'cancelled') return { state: 'not done', tone: 'wait' } as const;
  if (status === 'running' && step.after.every((name) => done.has(name)))
    return { state: 'running', tone: 'busy' } as const;
  return { state: 'waits', tone: 'wait' } as const;
}
