import { Button, Checkbox, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import classes from './act-bar.module.css';
import { ActDialog } from './act-dialog.tsx';
import { actionsFor, type Chosen, jobsText } from './actions.ts';
import type { Filter, Job } from './use-jobs.ts';

interface Props {
  readonly filter: Filter;
  readonly shown: readonly Job[];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

/** Chooses the jobs that are shown, or all that fit, and what is to be done with them. */
export function ActBar({ filter, shown, chosen, onChoose }: Props) {
  const possible = actionsFor(filter);
  const [wanted, setWanted] = useState<string | null>(null);
  const [priority, setPriority] = useState<number | string>('');
  const [isOpen, setOpen] = useState(false);
  const action = possible.find((one) => one.action === wanted)?.action ?? null;
  const isAll = chosen === 'all';
  const count = isAll ? shown.length : chosen.size;
  const isEvery = isAll || (count > 0 && shown.every(({ id }) => chosen.has(id)));
  const isIncomplete = action === null || (action === 'reprioritise' && typeof priority !== 'number');
  if (shown.length === 0) return null;
  return (
    <fieldset className={classes['bar']}>
      <legend className={classes['legend']}>Act on many jobs</legend>
      <Checkbox
        label={`Select the ${shown.length} shown`}
        checked={isEvery}
        indeterminate={count > 0 && !isEvery}
        onChange={() => onChoose(isEvery ? new Set() : new Set(shown.map(({ id }) => id)))}
      />
      {count > 0 && (
        <>
          <span className={classes['count']} role="status">
            {isAll ? 'All that fit are selected' : `${jobsText(count)} selected`}
          </span>
          {!isAll && (
            <Button size="xs" variant="subtle" onClick={() => onChoose('all')}>
              Select all that fit
            </Button>
          )}
          <Select
            size="xs"
            aria-label="Action"
            placeholder="Action"
            className={classes['action'] ?? ''}
            data={possible.map((one) => ({ value: one.action, label: one.label }))}
            value={action}
            onChange={setWanted}
          />
          {action === 'reprioritise' && (
            <NumberInput
              size="xs"
              aria-label="Priority"
              placeholder="0 to 1000"
              className={classes['priority'] ?? ''}
              min={0}
              max={1_000}
              allowDecimal={false}
              value={priority}
              onChange={setPriority}
            />
          )}
          <Button size="xs" disabled={isIncomplete} onClick={() => setOpen(true)}>
            Preview
          </Button>
        </>
      )}
      {isOpen && action !== null && (
        <ActDialog
          request={{ action, chosen, filter, ...(typeof priority === 'number' && { priority }) }}
          onClose={() => setOpen(false)}
        />
      )}
    </fieldset>
  );
}
