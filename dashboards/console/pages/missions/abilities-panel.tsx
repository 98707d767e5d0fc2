import { useCall } from '#console/api/use-call.ts';
import { Panel } from '#console/ui/panel.tsx';
import { Fault } from '#console/ui/states/fault.tsx';
import { Loading } from '#console/ui/states/loading.tsx';
import { StateBadge } from '#console/ui/states/state-badge.tsx';
import classes from './abilities-panel.module.css';

/** Capabilities of steps of missions, and which of them need the consent of a human. */
export function AbilitiesPanel() {
  const stats = useCall('GET /api/v1/stats', {});
  return (
    <Panel title="What a mission can do">
      {stats.isPending && <Loading what="what a mission can do" />}
      {stats.isError && <Fault error={stats.error} retry={() => void stats.refetch()} />}
      <ul className={classes['list']}>
        {stats.data?.capabilities.map(({ name, title, sensitivity }) => (
          <li key={name}>
            <div className={classes['name']}>
              <span className="mono">{name}</span>
              {sensitivity !== 'none' && <StateBadge state="asks you first" tone="ask" />}
            </div>
            <div className={classes['title']}>{title}</div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
