import type { Alert } from './rule.ts';

const ours = 'job=~"proofline-.+"';

/** Alerts on processes of any kind. */
export const processAlerts: readonly Alert[] = [
  {
    name: 'Watchdog',
    severity: 'none',
    expr: 'vector(1)',
    summary: 'This alert always fires.',
    description:
      'Route it to something that notices when it stops: then Prometheus or Alertmanager is down, and no other alert would come.',
    anchor: 'watchdog',
    trial: { firing: { 'up{job="proofline-api"}': '1' }, calm: {}, at: '1m', fires: [{}] },
  },
  {
    name: 'ProcessDown',
    severity: 'critical',
    for: '2m',
    expr: `up{${ours}} == 0`,
    summary: '{{ $labels.job }} {{ $labels.instance }} does not answer.',
    description:
      'The process has ended, hangs, or cannot be reached. See its log and the orchestrator; what it ran goes on elsewhere within seconds.',
    anchor: 'process-down',
    trial: {
      firing: { 'up{job="proofline-worker", instance="one"}': '1 1 0+0x10' },
      calm: { 'up{job="proofline-worker", instance="one"}': '1 1 0 1+0x10', 'up{job="another"}': '0+0x10' },
      at: '6m',
      fires: [{ job: 'proofline-worker', instance: 'one' }],
    },
  },
  {
    name: 'ApiGone',
    severity: 'critical',
    for: '1m',
    expr: 'absent(up{job="proofline-api"} == 1)',
    summary: 'No API process answers.',
    description:
      'Nothing is accepted and subscribers see no events; workers go on with what is queued. Start API processes; their log says what stops them (a setting, Postgres, Redis, a migration that has not run).',
    anchor: 'api-gone',
    trial: {
      firing: { 'up{job="proofline-api", instance="one"}': '0+0x10' },
      calm: {
        'up{job="proofline-api", instance="one"}': '0+0x10',
        'up{job="proofline-api", instance="two"}': '1+0x10',
      },
      at: '5m',
      fires: [{}],
    },
  },
  {
    name: 'SchemaBehind',
    severity: 'critical',
    for: '1m',
    expr: `max by (job, instance) (proofline_schema_migrations_pending{${ours}}) > 0`,
    summary: '{{ $labels.instance }} lacks {{ $value }} migrations in its database.',
    description:
      'The process stays unready and does nothing until `proofline migrate` of its release has run; its `/readyz` and its log name the first missing file.',
    anchor: 'schema-behind',
    trial: {
      firing: { 'proofline_schema_migrations_pending{job="proofline-worker", instance="one"}': '0 1+0x10' },
      calm: {
        'proofline_schema_migrations_pending{job="proofline-worker", instance="one"}': '0 1 0+0x10',
        'proofline_schema_migrations_unknown{job="proofline-worker", instance="one"}': '1+0x10',
      },
      at: '5m',
      fires: [{ job: 'proofline-worker', instance: 'one' }],
      value: '1',
    },
  },
  {
    name: 'OldReleaseRuns',
    severity: 'warning',
    for: '1h',
    expr: `max by (job, instance) (proofline_schema_migrations_unknown{${ours}}) > 0`,
    summary: '{{ $labels.instance }} runs an older release than the one that migrated the database.',
    description:
      'The release before runs on a newer schema, and only that one is promised to. Finish the rollout, or roll back to a release whose migrations are these.',
    anchor: 'old-release-runs',
    trial: {
      firing: { 'proofline_schema_migrations_unknown{job="proofline-api", instance="one"}': '1+0x90' },
      calm: { 'proofline_schema_migrations_unknown{job="proofline-api", instance="one"}': '1+0x30 0+0x60' },
      at: '80m',
      fires: [{ job: 'proofline-api', instance: 'one' }],
    },
  },
  {
    name: 'RetentionBehind',
    severity: 'warning',
    for: '30m',
    expr: 'max(proofline_retention_overdue_seconds) > 3600',
    summary: 'Finished jobs are deleted {{ $value | humanizeDuration }} later than their retention says.',
    description:
      'Jobs end faster than they can be deleted, or the sweep does not come to it: the table of jobs grows. See who leads the sweep and what Postgres waits for.',
    anchor: 'retention-behind',
    trial: {
      firing: { 'proofline_retention_overdue_seconds{job="proofline-api", instance="one"}': '0+120x90' },
      calm: { 'proofline_retention_overdue_seconds{job="proofline-api", instance="one"}': '0+60x60 0+60x30' },
      at: '70m',
      fires: [{}],
      value: '2h 20m 0s',
    },
  },
  {
    name: 'WakesLate',
    severity: 'warning',
    for: '2m',
    expr: 'max(proofline_wakes_overdue_seconds) > 30',
    summary: 'Waiting jobs go on {{ $value | humanizeDuration }} later than they should.',
    description:
      'Their time has come, or their child has ended, and nothing puts them back into their queues: no API process leads the waker, or Postgres does not keep up with it. See its log for `waker`.',
    anchor: 'wakes-late',
    trial: {
      firing: { 'proofline_wakes_overdue_seconds{job="proofline-api", instance="one"}': '0+30x20' },
      calm: { 'proofline_wakes_overdue_seconds{job="proofline-api", instance="one"}': '0 40 0 40 0+0x20' },
      at: '8m',
      fires: [{}],
      value: '4m 0s',
    },
  },
  {
    name: 'GroupStarves',
    severity: 'warning',
    for: '5m',
    expr: 'max by (queue, group) (proofline_group_oldest_waiting_seconds{group!=""}) > 1800\n  and on (queue) max by (queue) (rate(proofline_jobs_finished_total[5m])) > 0',
    summary:
      'Jobs of {{ $labels.group }} wait in {{ $labels.queue }}, which goes on: the next for {{ $value | humanizeDuration }}.',
    description:
      'Others are served meanwhile. `proofline queues rules` shows what bounds the group: a pause, a limit, a small weight. Without one its jobs are more than its share of the queue.',
    anchor: 'group-starves',
    trial: {
      firing: {
        'proofline_group_oldest_waiting_seconds{job="proofline-api", instance="one", queue="studio.render", group="acme"}':
          '3600+0x20',
        'proofline_jobs_finished_total{job="proofline-worker", instance="two", queue="studio.render", outcome="succeeded"}':
          '0+60x20',
      },
      calm: {
        'proofline_group_oldest_waiting_seconds{job="proofline-api", instance="one", queue="studio.render", group="acme"}':
          '3600+0x20',
        'proofline_jobs_finished_total{job="proofline-worker", instance="two", queue="studio.render", outcome="succeeded"}':
          '0+0x20',
      },
      at: '12m',
      fires: [{ queue: 'studio.render', group: 'acme' }],
      value: '1h 0m 0s',
    },
  },
  {
    name: 'ProcessRestartsOften',
    severity: 'warning',
    expr: `changes(process_start_time_seconds{${ours}}[15m]) > 3`,
    summary: '{{ $labels.job }} {{ $labels.instance }} starts again and again.',
    description:
      'The last lines of its log say why it ends: a wrong setting, a server that is away, or too little memory.',
    anchor: 'process-restarts-often',
    trial: {
      firing: { 'process_start_time_seconds{job="proofline-api", instance="one"}': '0+60x20' },
      calm: { 'process_start_time_seconds{job="proofline-api", instance="one"}': '0 0 60 60 120+0x20' },
      at: '15m',
      fires: [{ job: 'proofline-api', instance: 'one' }],
    },
  },
  {
    name: 'EventLoopBlocked',
    severity: 'warning',
    for: '5m',
    expr: 'proofline_event_loop_delay_seconds{percentile="99"} > 0.5',
    summary: '{{ $labels.job }} {{ $labels.instance }} reacts {{ $value | humanizeDuration }} late.',
    description:
      'Its machine or CPU limit is too small, or something computes outside the threads. Leases are lost above some seconds: give it more CPU or start more processes.',
    anchor: 'event-loop-blocked',
    trial: {
      firing: {
        'proofline_event_loop_delay_seconds{job="proofline-api", instance="one", percentile="99"}': '2+0x20',
      },
      calm: {
        'proofline_event_loop_delay_seconds{job="proofline-api", instance="one", percentile="99"}': '0.4+0x20',
        'proofline_event_loop_delay_seconds{job="proofline-api", instance="one", percentile="50"}': '2+0x20',
      },
      at: '10m',
      fires: [{ job: 'proofline-api', instance: 'one', percentile: '99' }],
      value: '2s',
    },
  },
  {
    name: 'ThreadTasksRefused',
    severity: 'warning',
    expr: 'sum by (job, instance) (increase(proofline_thread_tasks_total{outcome="refused"}[10m])) > 0',
    summary: '{{ $labels.instance }} refuses tasks, since too many wait for its threads.',
    description:
      'Their jobs are tried again. Start more workers of the fleet, give them more CPU, or lower WORKER_CONCURRENCY.',
    anchor: 'thread-tasks-refused',
    trial: {
      firing: {
        'proofline_thread_tasks_total{job="proofline-worker", instance="one", task="tick-market", outcome="refused"}':
          '0+1x20',
      },
      calm: {
        'proofline_thread_tasks_total{job="proofline-worker", instance="one", task="tick-market", outcome="done"}':
          '0+1x20',
      },
      at: '10m',
      fires: [{ job: 'proofline-worker', instance: 'one' }],
    },
  },
  {
    name: 'CallsNotCounted',
    severity: 'warning',
    expr: 'sum(increase(proofline_calls_dropped_total[15m])) > 0',
    summary: 'Calls could not be written to the log of calls.',
    description:
      'The figures of usage and monitoring have a gap from now; answers are not affected. Postgres was away or too slow for a while.',
    anchor: 'calls-not-counted',
    trial: {
      firing: { proofline_calls_dropped_total: '0 0 0 5+0x20' },
      calm: { proofline_calls_dropped_total: '5+0x20' },
      at: '10m',
      fires: [{}],
    },
  },
  {
    name: 'StreamClientsDropped',
    severity: 'warning',
    expr: 'sum(increase(proofline_stream_clients_dropped_total[10m])) > 10',
    summary: 'Clients are dropped from streams because they read too slowly.',
    description:
      'They come again by themselves and miss nothing. See whether it is one client, a slow proxy between, or an API process that is out of CPU; STREAM_CLIENT_BYTES is what one may be behind.',
    anchor: 'stream-clients-dropped',
    trial: {
      firing: { 'proofline_stream_clients_dropped_total{transport="sse"}': '0+2x20' },
      calm: { 'proofline_stream_clients_dropped_total{transport="sse"}': '0+1x20' },
      at: '15m',
      fires: [{}],
    },
  },
  {
    name: 'StreamResets',
    severity: 'warning',
    expr: 'sum(increase(proofline_stream_resets_total[10m])) > 20',
    summary: 'Subscribers’ streams are reset, since their history cannot be replayed.',
    description:
      'Redis was emptied, or clients come back later than events are kept. They read the state again; their programs must know `reset`.',
    anchor: 'stream-resets',
    trial: {
      firing: { 'proofline_stream_resets_total{reason="epoch"}': '0+4x20' },
      calm: { 'proofline_stream_resets_total{reason="epoch"}': '0+1x20' },
      at: '15m',
      fires: [{}],
    },
  },
  {
    name: 'McpSessionsRefused',
    severity: 'warning',
    expr: 'sum(increase(proofline_mcp_sessions_refused_total{reason="too_many"}[15m])) > 5',
    summary: 'Machine clients are refused sessions, since their keys have too many open.',
    description:
      'A client opens sessions without closing them. The log names the key; ask its owner, or end its sessions by revoking it.',
    anchor: 'mcp-sessions-refused',
    trial: {
      firing: { 'proofline_mcp_sessions_refused_total{reason="too_many"}': '0+1x20' },
      calm: { 'proofline_mcp_sessions_refused_total{reason="stopping"}': '0+1x20' },
      at: '15m',
      fires: [{}],
    },
  },
];
