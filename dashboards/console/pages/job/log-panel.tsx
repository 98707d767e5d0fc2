import { Panel } from '#console/ui/panel.tsx';
import { Empty } from '#console/ui/states/empty.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './log-panel.module.css';
import { useLog } from './use-log.ts';

interface Props {
  readonly id: string;
  readonly isOver: boolean;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});

/** Log of the job, shown as it is written. */
export function LogPanel({ id, isOver }: Props) {
  const log = useLog(id, isOver);
  const lines = log.data?.data ?? [];
  return (
    <Panel title="Log" flush aside={counted(lines.length, 'line')}>
      {log.isError && <Fault error={log.error} retry={() => void log.refetch()} />}
      {log.data && lines.length === 0 && (
        <Empty title={isOver ? 'It has left no lines' : 'It has said nothing yet'}>
          Lines are kept for some days and may be lost; the timeline is the record.
        </Empty>
      )}
      {lines.length > 0 && (
        // what can be scrolled must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes['log']} tabIndex={0} role="log" aria-label="Log">
          {lines.map(({ id: name, at, level, message, fields, attempt }) => (
            <div key={name} className={classes['line']} data-level={level}>
              <time dateTime={at} className={classes['at']}>
                {clock.format(new Date(at))}
              </time>
              <span className={classes['level']}>{level}</span>
              <span className={classes['words']}>
                {message}
                <span className={classes['fields']}>
                  {[
                    `attempt=${attempt}`,
                    ...Object.entries(fields).map(([key, value]) => `${key}=${textOf(value)}`),
                  ].join(' ')}
                </span>
              </span>
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
