import { Panel } from '#console/ui/panel.tsx';
import { spell, Time } from '#console/ui/time.tsx';
import { counted } from '#src/lib/text/counted.ts';
import classes from './timeline-panel.module.css';
import type { Timeline } from './use-job.ts';

type Event = Timeline['events'][number];

/** Meaning and mark of each event. */
const kinds: Readonly<Record<string, { readonly words: string; readonly tone: string }>> = {
  queued: { words: 'Accepted, waits for a worker', tone: 'wait' },
  awaiting_approval: { words: 'Accepted, waits for a decision', tone: 'ask' },
  started: { words: 'Started', tone: 'busy' },
  retrying: { words: 'Failed, will be tried again', tone: 'bad' },
  released: { words: 'Back in its queue, without losing an attempt', tone: 'wait' },
  waiting: { words: 'Waits, and holds no worker', tone: 'wait' },
  replaced: { words: 'Got another payload and other times', tone: 'wait' },
  unfolded: { words: 'Its nodes begin', tone: 'busy' },
  node: { words: 'A node', tone: 'busy' },
  signalled: { words: 'Got a signal', tone: 'busy' },
  succeeded: { words: 'Succeeded', tone: 'ok' },
  failed: { words: 'Given up', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'wait' },
  redriven: { words: 'Put back into its queue by hand', tone: 'ask' },
  reprioritised: { words: 'Got another priority', tone: 'wait' },
};

/** Events of the job in the ledger, in order. */
export function TimelinePanel({ events }: { readonly events: readonly Event[] }) {
  return (
    <Panel title="Timeline" aside={counted(events.length, 'event')}>
      <ol className={classes['events']}>
        {events.map((event, index) => {
          const { words, tone } = kinds[event.type] ?? { words: event.type.replaceAll('_', ' '), tone: 'wait' };
          const before = events[index - 1];
          return (
            <li key={event.n} className={classes['event']} data-tone={tone}>
              <span className={classes['what']}>
                {words}
                <span className={classes['more']}>{moreOf(event)}</span>
              </span>
              <span className={classes['when']}>
                <Time at={event.at} />
                {before && (
                  <span className={classes['gap']}>
                    +{spell((Date.parse(event.at) - Date.parse(before.at)) / 1_000)}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

/** Formats the parts of an event beside its type that a person wants to know. */
function moreOf({ data }: Event): string | null {
  const error = data['error'] as { readonly code?: string; readonly message?: string } | undefined;
  const on = data['on'] as { readonly kind?: string; readonly name?: string; readonly until?: string } | undefined;
  const parts = [
    text(data['attempt'], (attempt) => `attempt ${attempt}`),
    text(data['worker'], (worker) => `worker ${worker.slice(0, 8)}`),
    text(data['by'], (by) => `by ${by}`),
    text(data['reason'], (reason) => reason.replaceAll('_', ' ')),
    text(data['name'], (name) => name),
    text(data['node'], (node) => `${node} ${String(data['state'])}`),
    on ? `${on.kind} ${on.name}` : null,
    text(on?.until, (at) => `until ${at} at the latest`),
    error ? `${error.code}: ${error.message}` : null,
    text(data['run_at'], (at) => `next at ${at}`),
  ].filter((one) => one !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}

function text(value: unknown, say: (value: string) => string): string | null {
  return typeof value === 'string' || typeof value === 'number' ? say(String(value)) : null;
}
