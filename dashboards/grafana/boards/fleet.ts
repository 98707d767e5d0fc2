import { queueTargets } from '#dashboards/prometheus/queue-targets.ts';
import { fleets } from '#queues/fleets.ts';
import { flowQueue } from '#queues/flows.ts';
import { type Board, type BoardSection, burnPanel } from './board.ts';
import { counter, faultsSection } from './fleet-faults.ts';
import { queuePanels } from './queue-panels.ts';

const chosen = 'queue=~"$queue"';

/** A closed row for each fleet: its queues by name, with the bounds of the strictest of them. */
const fleetSections: readonly BoardSection[] = Object.entries(fleets).map(([fleet, queues]) => {
  const oldest = queueTargets.filter(({ queue }) => queues.includes(queue)).map((target) => target.oldestSeconds);
  const bad = Math.min(...oldest);
  return {
    title: `Fleet ${fleet}: ${queues.join(', ')}`,
    closed: true,
    panels: queuePanels(`queue=~"${queues.join('|')}"`).map((panel) =>
      panel.anchor === 'queue-waits-too-long' ? { ...panel, bounds: { warn: bad / 2, bad } } : panel,
    ),
  };
});

export const fleetBoard: Board = {
  name: 'fleet',
  title: 'fleets and queues',
  about: 'Accepted jobs: whether they are carried out in time, and by which workers.',
  choices: [
    { name: 'queue', title: 'Queue', metric: 'proofline_queue_depth', label: 'queue' },
    { name: 'fleet', title: 'Fleet', metric: 'proofline_workers_alive', label: 'fleet' },
  ],
  sections: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Queued',
          about: 'Jobs of the chosen queues that wait for a worker.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(queue:proofline_queue_depth:max{state="queued", ${chosen}})`, 'queued']],
          bounds: { warn: 1_000, bad: 10_000 },
          anchor: 'queue-drains-slowly',
        },
        {
          title: 'Running',
          about: 'Jobs of the chosen queues that workers run.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(queue:proofline_queue_depth:max{state="running", ${chosen}})`, 'running']],
        },
        {
          title: 'Held back',
          about: 'Jobs that wait for something that is no worker: the decision of a human, or the end of another job.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(queue:proofline_queue_depth:max{state="held", ${chosen}})`, 'held']],
        },
        {
          title: 'Waiting',
          about: 'Suspended jobs: they wait for a time, a signal or the end of a child, and hold no worker.',
          kind: 'stat',
          unit: 'short',
          targets: [[`sum(queue:proofline_queue_depth:max{state="waiting", ${chosen}})`, 'waiting']],
        },
        {
          title: 'Oldest due job',
          about: 'Of all chosen queues, how long the job waits that waits longest.',
          kind: 'stat',
          unit: 's',
          targets: [[`max(queue:proofline_queue_oldest_waiting_seconds:max{${chosen}})`, 'oldest']],
          bounds: { warn: 30, bad: 60 },
          anchor: 'queue-waits-too-long',
        },
        {
          title: 'Workers',
          about: 'Worker processes with a live lease.',
          kind: 'stat',
          unit: 'short',
          targets: [['sum(fleet:proofline_workers_alive:max{fleet=~"$fleet"})', 'workers']],
          bounds: { warn: 2, bad: 1, below: true },
          anchor: 'fleet-gone',
        },
        {
          title: 'Processes that do not answer',
          about: 'Of all that Prometheus knows of.',
          kind: 'stat',
          unit: 'short',
          targets: [['count(up{job=~"proofline-.+"} == 0) or vector(0)', 'away']],
          bounds: { warn: 1, bad: 1 },
          anchor: 'process-down',
        },
      ],
    },
    {
      title: 'Chosen queues',
      panels: [
        ...queuePanels(chosen),
        {
          title: 'Accepted jobs a second',
          about: 'What callers submit.',
          kind: 'lines',
          unit: 'cps',
          targets: [[`queue:proofline_jobs_submitted:rate5m{${chosen}}`, '{{queue}}']],
        },
        {
          title: 'Time until empty',
          about: 'Queued jobs divided by the rate of the last ten seconds; -1 while nothing finishes.',
          kind: 'lines',
          unit: 's',
          targets: [[`queue:proofline_queue_estimated_drain_seconds:max{${chosen}}`, '{{queue}}']],
          anchor: 'queue-drains-slowly',
        },
        {
          title: 'Waiting before the start, p95',
          about: 'From the time a job is due to its claim by a worker.',
          kind: 'lines',
          unit: 's',
          targets: [[`queue:proofline_job_wait_seconds:p95_5m{${chosen}}`, '{{queue}}']],
          anchor: 'job-wait-burns',
        },
        {
          title: 'Run of an attempt, p95',
          about: 'From claim to settle.',
          kind: 'lines',
          unit: 's',
          targets: [[`queue:proofline_job_run_seconds:p95_5m{${chosen}}`, '{{queue}}']],
        },
        {
          title: 'Suspended and woken a second',
          about: 'Jobs that began to wait for a time, a signal or a child, and those whose wait was over.',
          kind: 'lines',
          unit: 'cps',
          targets: [
            [`sum(rate(proofline_jobs_suspended_total{${chosen}}[$__rate_interval]))`, 'suspended'],
            [`sum(rate(proofline_jobs_woken_total{${chosen}}[$__rate_interval]))`, 'woken'],
          ],
        },
        {
          title: 'Failed attempts a second',
          about: 'Attempts that failed and went back to their queue; their jobs may still succeed.',
          kind: 'lines',
          unit: 'cps',
          targets: [[`queue:proofline_job_retries:rate5m{${chosen}}`, '{{queue}}']],
          anchor: 'retries-surge',
        },
        burnPanel('job-success', 'Budget of failed jobs: burn', '{{queue}}', `, ${chosen}`),
        burnPanel('job-wait', 'Budget of late starts: burn', '{{queue}}', `, ${chosen}`),
      ],
    },
    ...fleetSections,
    // no worker takes a flow: what moves it are the ends of its jobs
    { title: 'Flows', closed: true, panels: queuePanels(`queue=~"${flowQueue.name}"`) },
    {
      title: 'Groups',
      closed: true,
      panels: [
        {
          title: 'Waiting, by group',
          about: 'Jobs of the 20 groups with the most that wait, and of the others together.',
          kind: 'lines',
          unit: 'short',
          targets: [[`max by (queue, group) (proofline_group_waiting{${chosen}})`, '{{queue}} {{group}}']],
          anchor: 'group-starves',
        },
        {
          title: 'Next job, by group',
          about: 'Time for which the next job of each of them has waited.',
          kind: 'lines',
          unit: 's',
          targets: [
            [`max by (queue, group) (proofline_group_oldest_waiting_seconds{${chosen}})`, '{{queue}} {{group}}'],
          ],
          anchor: 'group-starves',
        },
      ],
    },
    {
      title: 'Workers',
      panels: [
        {
          title: 'Live workers',
          about: 'Worker processes with a live lease, by fleet.',
          kind: 'lines',
          unit: 'short',
          targets: [['fleet:proofline_workers_alive:max{fleet=~"$fleet"}', '{{fleet}}']],
          anchor: 'fleet-gone',
        },
        {
          title: 'Jobs under way by process',
          about: 'What each process runs now.',
          kind: 'lines',
          unit: 'short',
          targets: [
            [`sum by (instance) (proofline_jobs_running{${chosen}})`, '{{instance}}'],
            [`sum(queue:proofline_remote_jobs_running:max{${chosen}})`, 'workers elsewhere'],
          ],
        },
        {
          title: 'Silence of the fetch loop',
          about: 'Since Redis last answered a consumer, the most silent one of each queue: a few seconds when idle.',
          kind: 'lines',
          unit: 's',
          targets: [[`max by (queue) (proofline_consumer_last_fetch_age_seconds{${chosen}})`, '{{queue}}']],
          bounds: { warn: 10, bad: 30 },
          anchor: 'queue-not-consumed',
        },
        {
          title: 'Delay of the event loop, p99',
          about: 'How late each process reacts. Some milliseconds; more where it is short of CPU.',
          kind: 'lines',
          unit: 's',
          targets: [
            ['max by (job, instance) (proofline_event_loop_delay_seconds{percentile="99"})', '{{job}} {{instance}}'],
          ],
          bounds: { warn: 0.1, bad: 0.5 },
          anchor: 'event-loop-blocked',
        },
        {
          title: 'Processors used',
          about: 'Seconds of CPU a second, by process.',
          kind: 'lines',
          unit: 'none',
          targets: [['rate(process_cpu_seconds_total{job=~"proofline-.+"}[$__rate_interval])', '{{job}} {{instance}}']],
        },
        {
          title: 'Memory',
          about: 'Resident memory, by process.',
          kind: 'lines',
          unit: 'bytes',
          targets: [['process_resident_memory_bytes{job=~"proofline-.+"}', '{{job}} {{instance}}']],
          anchor: 'process-restarts-often',
        },
        {
          title: 'Threads at work',
          about:
            'Share of the time of its threads that a process has used since its start, and tasks that wait for one.',
          kind: 'lines',
          unit: 'none',
          targets: [
            ['proofline_thread_pool_utilization_ratio{job="proofline-worker"}', 'used {{instance}}'],
            ['proofline_thread_pool_queue{job="proofline-worker"}', 'waiting {{instance}}'],
            ['proofline_thread_pool_threads{job="proofline-worker"}', 'threads {{instance}}'],
          ],
          anchor: 'thread-tasks-refused',
        },
        counter(
          'Thread tasks',
          'What came of tasks in threads.',
          'proofline_thread_tasks_total',
          'outcome',
          'thread-tasks-refused',
        ),
      ],
    },
    {
      title: 'Workers elsewhere',
      panels: [
        {
          title: 'Connected workers',
          about: 'Live workers elsewhere, by queue: one of several queues counts for each.',
          kind: 'lines',
          unit: 'short',
          targets: [[`queue:proofline_remote_workers:max{${chosen}}`, '{{queue}}']],
          anchor: 'version-not-taken',
        },
        {
          title: 'Their hands',
          about: 'Jobs that they run at once, have in hand, and had hands free for at their last poll.',
          kind: 'lines',
          unit: 'short',
          targets: [
            [`queue:proofline_remote_capacity:max{${chosen}}`, '{{queue}} at once'],
            [`queue:proofline_remote_jobs_running:max{${chosen}}`, '{{queue}} in hand'],
            [`queue:proofline_remote_credits:max{${chosen}}`, '{{queue}} free'],
          ],
        },
        {
          title: 'Jobs that no worker takes',
          about: 'Age of the oldest due job of a version that no live worker takes.',
          kind: 'lines',
          unit: 's',
          targets: [[`max by (queue, version) (proofline_queue_untaken_seconds{${chosen}})`, '{{queue}}@{{version}}']],
          bounds: { warn: 30, bad: 60 },
          anchor: 'version-not-taken',
        },
      ],
    },
    faultsSection,
  ],
};
