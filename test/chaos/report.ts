import type { Timeline } from './judge.ts';
import type { ChaosRun } from './run.ts';

/** Describes the results of a run, as lines for people. */
export function describeRun({
  plan,
  submissions,
  followed,
  faults,
  stored,
  effects,
  slowest,
  secondStarts,
  settledMs,
  wrong,
}: ChaosRun): string[] {
  const jobs = [...stored.values()];
  const states = Map.groupBy(jobs, ({ state, code }) =>
    code && code !== 'unavailable' ? `${state} (${code})` : state,
  );
  const latest = secondStarts.toSorted((a, b) => b.ms - a.ms)[0];
  const finished = jobs
    .flatMap(({ finished_at }) => (finished_at ? [finished_at.getTime()] : []))
    .toSorted((a, b) => a - b);
  const accepted = submissions
    .flatMap(({ acceptedAt }) => (acceptedAt > 0 ? [acceptedAt] : []))
    .toSorted((a, b) => a - b);
  const next = (times: readonly number[], at: number) => (times.find((time) => time > at) ?? Number.NaN) - at;
  const worst = (values: readonly number[]) => seconds(Math.max(...values.filter((value) => !Number.isNaN(value)), 0));

  const lines = [
    `jobs: ${submissions.filter(({ id }) => id !== null).length} accepted of ${submissions.length} submissions; ${[...states].map(([state, list]) => `${list.length} ${state}`).join(', ')}`,
    `effects: ${effects.made} made in ${effects.tries} calls`,
    `subscribers: ${[...Map.groupBy(followed, ({ transport }) => transport)].map(([transport, list]) => `${list.length} by ${transport} in ${list.reduce((sum, { connections }) => sum + connections, 0)} connections`).join(', ')}`,
    `all ended ${seconds(settledMs)} after the last fault and submission`,
    `slowest job: ${describe(slowest)}`,
    `second start of a job whose worker was killed or stopped: ${secondStarts.length} seen, slowest ${describe(latest)}`,
    'faults (times: longest until it served again; until the next submission was accepted; until the next job ended):',
  ];
  for (const [kind, list] of [...Map.groupBy(faults, (fault) => fault.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    lines.push(
      `  ${kind.padEnd(18)} ${String(list.length).padStart(3)}  ${worst(list.map(({ at, healedAt }) => healedAt - at))}  ${worst(list.map(({ at }) => next(accepted, at)))}  ${worst(list.map(({ at }) => next(finished, at)))}`,
    );
  lines.push(
    wrong.length === 0 ? 'every promise held' : `${wrong.length} BROKEN PROMISES (seed ${plan.seed}):`,
    ...wrong.slice(0, 50),
  );
  return lines;
}

function describe(timeline: Timeline | undefined): string {
  if (!timeline) return 'none';
  const { ms, job, events } = timeline;
  const begun = events[0]?.at.getTime() ?? 0;
  const life = events.map(({ type, at }) => `${type} ${seconds(at.getTime() - begun)}`).join(', ');
  return `${seconds(ms)} (${job.kind}, priority ${job.priority}, ${job.id}, from ${events[0]?.at.toISOString()}: ${life})`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
