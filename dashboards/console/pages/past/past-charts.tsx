import { useMemo } from 'react';
import { Chart } from '#console/ui/charts/chart.tsx';
import { usePalette } from '#console/ui/charts/use-palette.ts';
import { FiguresTable } from '#console/ui/data/figures-table.tsx';
import { counted } from '#src/lib/text/counted.ts';
import { shownSeconds } from '#src/lib/text/shown-seconds.ts';
import { endsOption, type Past, type TimesName, timesOption } from './past-option.ts';
import classes from './past-panel.module.css';
import { stepColumns } from './past-table.tsx';

interface Props {
  readonly past: Past;
  /** The time in words. */
  readonly words: string;
}

/** Charts of how jobs ended, how long they waited and how long they ran; and the same as a table. */
export function PastCharts({ past, words }: Props) {
  const palette = usePalette();
  const ends = useMemo(() => endsOption(past, palette), [past, palette]);
  const wait = useMemo(() => timesOption(past, 'wait', palette), [past, palette]);
  const run = useMemo(() => timesOption(past, 'run', palette), [past, palette]);
  return (
    <>
      <div className={classes['charts']}>
        <div className={classes['wide']}>
          <h3>Jobs that ended</h3>
          <Chart option={ends} label={endsSentence(past, words)} height="14rem" merge={false} />
        </div>
        <div>
          <h3>Time that they waited</h3>
          <Chart option={wait} label={timesSentence(past, 'wait', words)} height="13rem" merge={false} />
        </div>
        <div>
          <h3>Time that they ran</h3>
          <Chart option={run} label={timesSentence(past, 'run', words)} height="13rem" merge={false} />
        </div>
      </div>
      <FiguresTable
        label={`Steps of ${words}`}
        columns={stepColumns}
        rows={past.points.toReversed()}
        keyOf={({ at }) => at}
      />
    </>
  );
}

function endsSentence({ total }: Past, words: string): string {
  const { succeeded, failed, cancelled, expired } = total;
  const rest = cancelled + expired;
  return `In ${words} ${counted(succeeded, 'job')} succeeded, ${failed} failed and ${rest} were cancelled or expired.`;
}

const verbs = { wait: 'waited', run: 'ran' } as const;

function timesSentence({ total }: Past, which: TimesName, words: string): string {
  const times = total[which];
  if (times === null) return `In ${words} nothing ${verbs[which]} that was measured.`;
  const { p50, p95, p99 } = times;
  return `In ${words} half of the attempts ${verbs[which]} for at most ${shownSeconds(p50)}, 95 of 100 for ${shownSeconds(p95)} and 99 of 100 for ${shownSeconds(p99)}.`;
}
