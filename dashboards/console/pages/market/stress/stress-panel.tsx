import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type MarketSymbol, symbolNames } from '#console/pages/market/parts/symbols.ts';
import type { ViewProps } from '#console/pages/market/parts/view-props.ts';
import { Icon } from '#console/ui/icon.tsx';
import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { signedDollars } from '#src/lib/charts/figures.ts';
import { ScenarioEditor } from './scenario-editor.tsx';
import { type Draft, isShock, presets, scenarioOf } from './scenarios.ts';
import classes from './stress-panel.module.css';
import { StressOutcome, StressTable } from './stress-result.tsx';
import { type Stress, useStress } from './use-stress.ts';
import { type Weights, WeightsEditor } from './weights-editor.tsx';

/** A stress test of a portfolio: what it is made of, the shocks, and what becomes of it. */
export function StressPanel({ symbol }: ViewProps) {
  const [weights, setWeights] = useState<Weights>({ [symbol]: 1 });
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    (Object.values(presets)[0] ?? []).map((draft, key) => ({ ...draft, key })),
  );
  const stress = useStress();
  const chosen = symbolNames.filter((name) => weights[name] !== undefined);
  const missing = whatIsMissing(chosen, weights, drafts);
  const run = () => {
    // the button stays what one is at: one that cannot be pressed would lose the focus
    if (stress.isRunning) return;
    stress.run({
      symbols: chosen,
      weights: chosen.map((name) => weights[name] ?? 0),
      scenarios: drafts.map(scenarioOf),
    });
  };
  return (
    <div className={classes['parts']}>
      <Panel title="Stress test">
        <WeightsEditor weights={weights} onChange={setWeights} />
        <h3 className={classes['heading']} style={{ marginTop: '1rem' }}>
          Shocks
        </h3>
        <ScenarioEditor drafts={drafts} onChange={setDrafts} />
        {missing && (
          <p className="quiet" role="status">
            {missing}
          </p>
        )}
        <div className={classes['act']}>
          <Button
            onClick={run}
            disabled={missing !== null}
            aria-disabled={stress.isRunning}
            leftSection={<Icon name="play" size={14} />}
          >
            Run {drafts.length} {drafts.length === 1 ? 'shock' : 'shocks'}
          </Button>
          {stress.isRunning && stress.job && (
            <Button variant="default" onClick={stress.cancel}>
              Cancel
            </Button>
          )}
        </div>
      </Panel>
      <Panel title="Outcome" aside={stress.job && <Link href={`/jobs/${stress.job.id}`}>Job</Link>}>
        <Outcome stress={stress} />
      </Panel>
      {stress.answer && (
        <div className={classes['whole']}>
          <Panel title="Outcome of each shock" flush>
            <StressTable answer={stress.answer} />
          </Panel>
        </div>
      )}
    </div>
  );
}

function Outcome({ stress: { answer, error, isRunning, steps } }: { readonly stress: Stress }) {
  const last = steps.at(-1);
  if (error) return <Fault error={error} />;
  if (answer) return <StressOutcome answer={answer} />;
  if (!isRunning)
    return (
      <Empty title="Nothing has been run yet">
        Every option of the dealers’ books is repriced under each shock. Choose weights and shocks, and run them.
      </Empty>
    );
  const done = last ? (100 * steps.length) / last.of : 0;
  return (
    <>
      <Progress value={done} aria-label="Shocks that are done" />
      <p className="quiet" role="status">
        {last
          ? `${steps.length} of ${last.of} shocks are done; the last: hedged P&L ${signedDollars(last.hedged_pnl)}, net gamma ${signedDollars(last.net_gex)}.`
          : 'The job waits for a worker.'}
      </p>
    </>
  );
}

function whatIsMissing(chosen: readonly MarketSymbol[], weights: Weights, drafts: readonly Draft[]): string | null {
  if (chosen.length === 0) return 'Give at least one symbol a weight.';
  const sum = chosen.reduce((all, name) => all + (weights[name] ?? 0), 0);
  if (Math.abs(sum) < 1e-9) return 'Weights must not add up to zero: they are scaled to a sum of one.';
  if (!drafts.every(isShock)) return 'Each scenario needs a change of spot or volatility, or days.';
  return null;
}
