import { fleets } from '#queues/fleets.ts';
import { queueTargets } from './queue-targets.ts';
import type { AlertFamily, SeriesValues } from './rule.ts';

const queues = queueTargets.map(({ queue }) => queue);
const each = (series: (target: (typeof queueTargets)[number]) => readonly [string, string]): SeriesValues =>
  Object.fromEntries(queueTargets.map(series));
const fires = queues.map((queue) => ({ queue }));
/** A worker may consume several fleets: its fleet is called `studio+missions` then. */
const withFleet = (fleet: string) => `proofline_workers_alive{fleet=~"(.+[+])?${fleet}([+].+)?"}`;
const names = Object.keys(fleets);

/** One rule for each queue or fleet, with the bounds of its own. */
export const queueAlerts: readonly AlertFamily[] = [
  {
    name: 'QueueWaitsTooLong',
    severity: 'warning',
    for: '1m',
    rules: queueTargets.map(({ queue, oldestSeconds }) => ({
      labels: { queue },
      // QueuePaused reports a queue that an operator has paused
      expr: `queue:proofline_queue_oldest_waiting_seconds:max{queue="${queue}"} > ${oldestSeconds}\n  unless on (queue) max by (queue) (proofline_queue_paused{queue="${queue}"}) > 0`,
    })),
    summary: 'Jobs of {{ $labels.queue }} wait too long: the oldest for {{ $value | humanizeDuration }}.',
    description:
      'Look at the fleet dashboard: without workers see FleetGone; with all of them busy start more of the fleet; with idle ones see whether a server that the jobs need is away. Nothing is lost while jobs wait.',
    anchor: 'queue-waits-too-long',
    trial: {
      firing: {
        ...each(({ queue }) => [`proofline_queue_oldest_waiting_seconds{queue="${queue}"}`, '4000+0x10']),
        ...each(({ queue }) => [`proofline_queue_paused{queue="${queue}"}`, '0+0x10']),
      },
      calm: {
        ...each(({ queue, oldestSeconds }) => [
          `proofline_queue_oldest_waiting_seconds{queue="${queue}"}`,
          `${oldestSeconds}+0x10`,
        ]),
        'proofline_queue_oldest_waiting_seconds{queue="studio.render"}': '4000+0x10',
        'proofline_queue_paused{queue="studio.render"}': '1+0x10',
      },
      at: '5m',
      fires,
      value: '1h 6m 40s',
    },
  },
  {
    name: 'QueueDrainsSlowly',
    severity: 'warning',
    for: '15m',
    rules: queueTargets.map(({ queue, drainSeconds }) => ({
      labels: { queue },
      expr: `queue:proofline_queue_estimated_drain_seconds:max{queue="${queue}"} > ${drainSeconds}`,
    })),
    summary: '{{ $labels.queue }} needs {{ $value | humanizeDuration }} to become empty.',
    description:
      'More is accepted than the fleet finishes. Start more workers of the fleet, or find who submits so much (the jobs page, by owner) and lower their limits.',
    anchor: 'queue-drains-slowly',
    trial: {
      firing: each(({ queue }) => [`proofline_queue_estimated_drain_seconds{queue="${queue}"}`, '20000+0x30']),
      calm: each(({ queue, drainSeconds }) => [
        `proofline_queue_estimated_drain_seconds{queue="${queue}"}`,
        `${drainSeconds}+0x30`,
      ]),
      at: '17m',
      fires,
      value: '5h 33m 20s',
    },
  },
  {
    name: 'QueueNotConsumed',
    severity: 'critical',
    for: '1m',
    rules: queues.map((queue) => ({
      labels: { queue },
      expr: `queue:proofline_queue_oldest_waiting_seconds:max{queue="${queue}"} > 30\n  unless on (queue) min by (queue) (proofline_consumer_last_fetch_age_seconds{queue="${queue}"}) < 30`,
    })),
    summary: 'Jobs of {{ $labels.queue }} are due, and no worker has requested any in the last 30 s.',
    description:
      'Either no worker consumes this queue (start its fleet) or every consumer hangs: see whether Redis answers the workers, then restart them; what they run goes on elsewhere.',
    anchor: 'queue-not-consumed',
    trial: {
      firing: each(({ queue }) => [`proofline_queue_oldest_waiting_seconds{queue="${queue}"}`, '31+0x10']),
      calm: {
        ...each(({ queue }) => [`proofline_queue_oldest_waiting_seconds{queue="${queue}"}`, '31+0x10']),
        ...each(({ queue }) => [`proofline_consumer_last_fetch_age_seconds{queue="${queue}"}`, '2+0x10']),
      },
      at: '5m',
      fires,
    },
  },
  {
    name: 'QueuePaused',
    severity: 'warning',
    for: '1h',
    // registered queues too, whatever they are called
    rules: [{ expr: 'max by (queue) (proofline_queue_paused) > 0' }],
    summary: '{{ $labels.queue }} has been paused for an hour: its jobs wait.',
    description:
      'An operator paused it: GET /v1/queues says who and why. Resume it (`proofline queues resume`) once the reason is gone; what waits runs then.',
    anchor: 'queue-paused',
    trial: {
      firing: {
        'proofline_queue_paused{queue="studio.render"}': '1+0x70',
        'proofline_queue_paused{queue="acme.resize-image"}': '1+0x70',
      },
      calm: {
        'proofline_queue_paused{queue="studio.render"}': '0+0x70',
        'proofline_queue_paused{queue="acme.resize-image"}': '0+0x70',
      },
      at: '65m',
      fires: [{ queue: 'acme.resize-image' }, { queue: 'studio.render' }],
    },
  },
  {
    name: 'VersionNotTaken',
    severity: 'warning',
    for: '1m',
    // of registered queues, whatever they are called: a series lasts as long as jobs wait and no worker takes them
    rules: [{ expr: 'max by (queue, version) (proofline_queue_untaken_seconds) > 60' }],
    summary:
      'No worker takes {{ $labels.queue }}@{{ $labels.version }}: its oldest job waits for {{ $value | humanizeDuration }}.',
    description:
      'Its owner runs no worker that takes this version of the contract. Tell them (GET /v1/queues/NAME says who registered it): a worker of this version takes the jobs at once; nothing is lost while they wait.',
    anchor: 'version-not-taken',
    trial: {
      firing: {
        // every API process reads the same rows
        'proofline_queue_untaken_seconds{queue="acme.resize-image", version="2", instance="one"}': '120+0x10',
        'proofline_queue_untaken_seconds{queue="acme.resize-image", version="2", instance="two"}': '119+0x10',
      },
      calm: {
        'proofline_queue_untaken_seconds{queue="acme.resize-image", version="2"}': '60+0x10',
        // a worker came
        'proofline_queue_untaken_seconds{queue="acme.resize-image", version="1"}': '120 180 stale',
      },
      at: '5m',
      fires: [{ queue: 'acme.resize-image', version: '2' }],
      value: '2m 0s',
    },
  },
  {
    name: 'FleetGone',
    severity: 'critical',
    for: '2m',
    rules: names.map((fleet) => ({
      // annotations see the labels of the expression, not those of the rule
      expr: `label_replace(absent(${withFleet(fleet)} > 0), "fleet", "${fleet}", "", "")\n  and on () up{job="proofline-api"} == 1`,
      labels: { fleet },
    })),
    summary: 'The fleet {{ $labels.fleet }} has no worker: its queues stand still.',
    description:
      'Start workers of this fleet. If they are there, their log says why they do not get a lease: a wrong setting, Postgres or Redis away, or a schema that is newer than they are.',
    anchor: 'fleet-gone',
    trial: {
      firing: { 'up{job="proofline-api"}': '1+0x10' },
      calm: {
        'up{job="proofline-api"}': '1+0x10',
        'proofline_workers_alive{fleet="studio+platform"}': '1+0x10',
        'proofline_workers_alive{fleet="missions"}': '2+0x10',
        'proofline_workers_alive{fleet="analytics"}': '3+0x10',
      },
      at: '5m',
      fires: names.map((fleet) => ({ fleet })),
    },
  },
];
