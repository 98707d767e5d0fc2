import { Button, NumberInput, Select, Stack, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { callKey, useChange } from '#console/api/use-call.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import classes from './goal-form.module.css';

const examples = [
  'Take a snapshot of SPX, then hash it',
  'Fit the surface of QQQ and stress SPX by a drop of 3%',
  'What is the gamma flip of SPX?',
];

const times = [
  { value: '300', label: '5 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
];

/** A goal, and what it may cost and take. It is planned at once, and does not run before its plan was seen. */
export function GoalForm() {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [goal, setGoal] = useState('');
  const [budget, setBudget] = useState<string | number>(1);
  const [seconds, setSeconds] = useState('3600');
  const [missing, setMissing] = useState(false);
  const plan = useChange('POST /api/v1/missions', (mission) => {
    client.setQueryData(callKey('GET /api/v1/missions/{id}', { path: { id: mission.missionId } }), mission);
    go(`/missions/${mission.missionId}`);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(goal.trim() === '');
    if (goal.trim() === '') return;
    plan.mutate({
      body: {
        goal: goal.trim(),
        timeoutSeconds: Number(seconds),
        ...(budget !== '' && { budgetUsd: Number(budget) }),
      },
    });
  };
  return (
    <Panel title="New mission">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Textarea
            label="Goal"
            description="What is wanted, in plain English. You see the plan before anything runs."
            placeholder="Take a snapshot of SPX, then stress SPX by a drop of 3%"
            autosize
            minRows={3}
            maxLength={10_000}
            value={goal}
            error={missing && goal.trim() === '' && 'Say what is wanted, or take one of the examples.'}
            onChange={({ currentTarget }) => setGoal(currentTarget.value)}
          />
          <div className={classes['examples']}>
            {examples.map((example) => (
              <button key={example} type="button" className={classes['example']} onClick={() => setGoal(example)}>
                {example}
              </button>
            ))}
          </div>
          <div className={classes['bounds']}>
            <NumberInput
              label="Budget"
              description="Most it may cost"
              placeholder="no bound"
              prefix="$"
              min={0}
              max={1_000_000}
              decimalScale={6}
              thousandSeparator=","
              value={budget}
              onChange={setBudget}
              w="13rem"
            />
            <Select
              label="Time"
              description="From its start, people included"
              data={times}
              value={seconds}
              allowDeselect={false}
              onChange={(value) => setSeconds(value ?? '3600')}
              w="12rem"
            />
            <Button type="submit" loading={plan.isPending}>
              Plan it
            </Button>
          </div>
          {plan.isError && <Fault error={plan.error} />}
        </Stack>
      </form>
    </Panel>
  );
}
