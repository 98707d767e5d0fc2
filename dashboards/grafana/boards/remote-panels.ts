import type { BoardSection } from './board.ts';

/** Panels of workers elsewhere. @param chosen matcher of the queues they are about */
export const remoteSection = (chosen: string): BoardSection => ({
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
});
