import { Button, NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import type { Plan } from '#console/pages/studio/parts/studio-types.ts';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { formatMoney } from '#console/ui/money.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import classes from './dry-run.module.css';

interface Outbox {
  readonly effectSha256: string;
  readonly maxCostUsd: number;
  readonly steps: Plan['steps'];
}

/** Asks exactly what a render would do under a ceiling, and for the approval of that. */
export function DryRun({ plan }: { readonly plan: Plan }) {
  const client = useQueryClient();
  const usual = plan.budgetUsd ?? plan.maximumCostUsd;
  const [ceiling, setCeiling] = useState<number | string>('');
  const run = useChange('POST /api/studio/v1/render', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/approvals') }),
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const maxCostUsd = typeof ceiling === 'number' && ceiling > 0 ? { maxCostUsd: ceiling } : {};
    run.mutate({ body: { planId: plan.id, dryRun: true, ...maxCostUsd } });
  };
  const outbox = run.data?.output['outbox'] as Outbox | undefined;
  return (
    <form onSubmit={submit} className={classes['form']}>
      <div className={classes['row']}>
        <NumberInput
          label="Ceiling"
          description="What a render may cost at most; no call passes it"
          placeholder={usual > 0 ? `${usual}` : 'nothing: its providers cost nothing'}
          min={0}
          max={10_000}
          decimalScale={6}
          prefix="$"
          value={ceiling}
          onChange={setCeiling}
        />
        <Button type="submit" variant="default" loading={run.isPending}>
          Dry run
        </Button>
      </div>
      {run.isError && <Fault error={run.error} />}
      {run.data && <Warnings warnings={plan.warnings ?? []} />}
      {outbox && (
        <output className={classes['done']}>
          Nothing was executed. {outbox.steps.length} {outbox.steps.length === 1 ? 'call' : 'calls'} would be made, for
          at most {formatMoney(outbox.maxCostUsd)}; its approval is above. Digest of the effect{' '}
          <code>{outbox.effectSha256.slice(0, 16)}…</code>
        </output>
      )}
    </form>
  );
}
