import { Button, Group, NumberInput, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { callKey, useChange } from '#console/api/use-call.ts';
import type { RoutePolicy } from '#console/pages/studio/parts/studio-types.ts';
import { Warnings } from '#console/pages/studio/parts/warnings.tsx';
import { policyWords } from '#console/pages/studio/parts/words.ts';
import { Fault } from '#console/ui/states/fault.tsx';
import classes from './plan-form.module.css';

/** Plans a brief by a policy and under a budget. The plan comes beside those there are. */
export function PlanForm({ brief }: { readonly brief: string }) {
  const client = useQueryClient();
  const [policy, setPolicy] = useState<RoutePolicy>('balanced');
  const [budget, setBudget] = useState<number | string>('');
  const plan = useChange('POST /api/studio/v1/plan', () =>
    client.invalidateQueries({ queryKey: callKey('GET /api/studio/v1/plans') }),
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    plan.mutate({
      body: { briefId: brief, routePolicy: policy, ...(typeof budget === 'number' && { budgetUsd: budget }) },
    });
  };
  return (
    <form onSubmit={submit} className={classes['form']}>
      <Select
        label="What decides between providers"
        description={policyWords[policy].about}
        data={Object.entries(policyWords).map(([value, { title }]) => ({ value, label: title }))}
        value={policy}
        allowDeselect={false}
        onChange={(value) => value !== null && setPolicy(value as RoutePolicy)}
      />
      <NumberInput
        label="Budget"
        description="The most that carrying it out may cost, in dollars. Empty: what the most expensive of its providers would."
        placeholder="no budget"
        min={0}
        max={10_000}
        decimalScale={4}
        prefix="$"
        value={budget}
        onChange={setBudget}
      />
      {plan.isError && <Fault error={plan.error} />}
      {plan.data && <Warnings warnings={plan.data.warnings} />}
      <Group>
        <Button type="submit" loading={plan.isPending}>
          Plan it
        </Button>
      </Group>
    </form>
  );
}
