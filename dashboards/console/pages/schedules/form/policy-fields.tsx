import { NumberInput, Select } from '@mantine/core';
import type { Draft } from './draft.ts';
import classes from './edit-page.module.css';

interface Props {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/** Policies for a run before that has not ended, and for times that were missed. */
export function PolicyFields({ draft, change }: Props) {
  return (
    <div className={classes['fields']}>
      <Select
        label="The run before has not ended"
        allowDeselect={false}
        data={[
          { value: 'skip', label: 'Skip this time' },
          { value: 'queue', label: 'Submit all the same' },
          { value: 'replace', label: 'Cancel that one, and submit this' },
        ]}
        value={draft.overlap}
        onChange={(overlap) => overlap !== null && change({ overlap })}
      />
      <div className={classes['pair']}>
        <Select
          label="Times that were missed"
          allowDeselect={false}
          data={[
            { value: 'last', label: 'Make up for the last' },
            { value: 'all', label: 'Make up for all' },
            { value: 'none', label: 'Make up for none' },
          ]}
          value={draft.missed}
          onChange={(missed) => missed !== null && change({ missed })}
        />
        <NumberInput
          label="None older than (seconds)"
          min={60}
          max={2_592_000}
          allowDecimal={false}
          value={draft.missedWithin}
          onChange={(missedWithin) => change({ missedWithin })}
        />
      </div>
    </div>
  );
}
