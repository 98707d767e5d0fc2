import { ActionIcon, Button, NumberInput, Select } from '@mantine/core';
import { Icon } from '#console/ui/icon.tsx';
import { type Draft, isShock, presets } from './scenarios.ts';
import classes from './stress-panel.module.css';

interface Props {
  readonly drafts: readonly Draft[];
  readonly onChange: (drafts: readonly Draft[]) => void;
}

const MOST = 200;

const fields = [
  { field: 'spot', label: 'Spot, %', min: -99, max: 1000, step: 1 },
  { field: 'volatility', label: 'Volatility, % of itself', min: -99, max: 1000, step: 5 },
  { field: 'days', label: 'Days that pass', min: 0, max: 3650, step: 1 },
] as const;

/** The shocks of a stress test, one a line. */
export function ScenarioEditor({ drafts, onChange }: Props) {
  const next = 1 + Math.max(0, ...drafts.map(({ key }) => key));
  const begin = (name: string | null) => {
    const preset = name === null ? undefined : presets[name];
    if (preset) onChange(preset.map((draft, i) => ({ ...draft, key: next + i })));
  };
  return (
    <div className={classes['scenarios']}>
      <Select
        label="Begin with"
        placeholder="A set of shocks"
        data={Object.keys(presets)}
        value={null}
        onChange={begin}
      />
      <ol className={classes['list']} aria-label="Shocks">
        {drafts.map((draft, i) => (
          <li key={draft.key} className={classes['scenario']}>
            {fields.map(({ field, label, ...bounds }) => (
              <NumberInput
                key={field}
                {...bounds}
                aria-label={`${label}, shock ${i + 1}`}
                label={i === 0 ? label : undefined}
                value={draft[field]}
                placeholder="none"
                error={field === 'spot' && !isShock(draft) ? 'spot, volatility or days' : undefined}
                onChange={(value) =>
                  onChange(
                    drafts.map((one) => (one === draft ? { ...one, [field]: value === '' ? '' : Number(value) } : one)),
                  )
                }
              />
            ))}
            <ActionIcon
              aria-label={`Remove shock ${i + 1}`}
              disabled={drafts.length === 1}
              onClick={() => onChange(drafts.filter((one) => one !== draft))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <Button
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        disabled={drafts.length >= MOST}
        onClick={() => onChange([...drafts, { key: next, spot: 0, volatility: '', days: '' }])}
      >
        Add a shock
      </Button>
    </div>
  );
}
