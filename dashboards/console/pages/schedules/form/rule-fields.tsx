import { Autocomplete, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCall } from '#console/api/use-call.ts';
import { zoneTime } from '#console/pages/schedules/zone-time.ts';
import { type Draft, ruleOf } from './draft.ts';
import classes from './edit-page.module.css';

interface Props {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}

/** Milliseconds without a key until the service is asked about a rule. */
const PAUSE_MS = 300;

/** Pattern or interval; what the service says of it, as it is typed. */
export function RuleFields({ draft, change }: Props) {
  const [rule] = useDebouncedValue(JSON.stringify(ruleOf(draft)), PAUSE_MS);
  const times = useCall(
    'GET /v1/schedule-times',
    { query: JSON.parse(rule) as ReturnType<typeof ruleOf> },
    { placeholderData: (before) => before },
  );
  const faultOf = (field: string) =>
    times.error?.fields.find((one) => one.field === field)?.message.replace('query.', '');
  const anyFault = times.isError && times.error.fields.length === 0 ? times.error.message : undefined;
  return (
    <div className={classes['fields']}>
      <SegmentedControl
        aria-label="Kind of rule"
        data={[
          { value: 'cron', label: 'By a pattern' },
          { value: 'every', label: 'By an interval' },
        ]}
        value={draft.kind}
        onChange={(kind) => change({ kind: kind === 'every' ? 'every' : 'cron' })}
      />
      {draft.kind === 'cron' ? (
        <div className={classes['pair']}>
          <TextInput
            label="Pattern"
            description="Five fields from the minute, or six from the second"
            value={draft.cron}
            maxLength={200}
            error={faultOf('query.cron') ?? anyFault}
            onChange={({ currentTarget }) => change({ cron: currentTarget.value })}
            classNames={{ input: 'mono' }}
          />
          <Autocomplete
            label="Zone"
            description="Whose clocks it goes by"
            data={Intl.supportedValuesOf('timeZone')}
            limit={50}
            value={draft.zone}
            error={faultOf('query.zone')}
            onChange={(zone) => change({ zone })}
          />
        </div>
      ) : (
        <NumberInput
          label="Seconds between two runs"
          min={1}
          value={draft.everySeconds}
          error={faultOf('query.every_ms') ?? anyFault}
          onChange={(everySeconds) => change({ everySeconds })}
        />
      )}
      {times.isSuccess && (
        <div role="status">
          <p className="quiet">Its next times in {draft.zone}:</p>
          <ul className={classes['times']} aria-label="Next times">
            {times.data.next.slice(0, 3).map((at) => (
              <li key={at}>{zoneTime(at, draft.zone)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
