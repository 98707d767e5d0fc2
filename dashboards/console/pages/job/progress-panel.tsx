import { Progress } from '@mantine/core';
import { Panel } from '#console/ui/panel.tsx';
import classes from './progress-panel.module.css';

/** Progress of the job: the newest report of each key. */
export function ProgressPanel({ progress }: { readonly progress: ReadonlyMap<string, unknown> }) {
  return (
    <Panel title="Progress">
      <div className={classes['list']}>
        {[...progress].map(([key, data]) => {
          const share = shareOf(data);
          return (
            <div key={key}>
              <div className={classes['line']}>
                <span>{key === '' ? 'Done' : key.replaceAll('_', ' ')}</span>
                <span className="quiet">{share === null ? wordsOf(data) : `${Math.round(share * 100)} %`}</span>
              </div>
              {share !== null && <Progress value={share * 100} size="sm" aria-label={`${key} progress`} />}
            </div>
          );
        })}
      </div>
    </Panel>
  );
}

/** Between 0 and 1; null where it tells of something else. */
function shareOf(data: unknown): number | null {
  if (typeof data === 'number') return data >= 0 && data <= 1 ? data : null;
  if (typeof data !== 'object' || data === null) return null;
  const { done, of, total = of, fraction, progress } = data as Readonly<Record<string, unknown>>;
  if (typeof done === 'number' && typeof total === 'number' && total > 0) return Math.min(1, done / total);
  return shareOf(fraction ?? progress ?? null);
}

function wordsOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return String(data);
  return Object.entries(data)
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(', ')
    .slice(0, 200);
}
