import type { PanelRow } from './board.ts';

/** The same questions of any queues: `of` selects them, as in `queue="analytics.fit"`. */
export function queuePanels(of: string): readonly PanelRow[] {
  return [
    {
      title: 'Queued jobs',
      about: 'Jobs that are due or scheduled and not held, as Postgres counts them.',
      kind: 'lines',
      unit: 'short',
      targets: [[`queue:proofline_queue_depth:max{state="queued", ${of}}`, '{{queue}}']],
      anchor: 'queue-drains-slowly',
    },
    {
      title: 'Age of the oldest due job',
      about: 'How long the job waits that waits longest. Near 0 while there are enough workers.',
      kind: 'lines',
      unit: 's',
      targets: [[`queue:proofline_queue_oldest_waiting_seconds:max{${of}}`, '{{queue}}']],
      anchor: 'queue-waits-too-long',
    },
    {
      title: 'Finished jobs a second',
      about: 'Jobs that reached their final state, by outcome.',
      kind: 'lines',
      unit: 'cps',
      targets: [[`queue:proofline_jobs_finished:rate5m{${of}}`, '{{queue}} {{outcome}}']],
    },
    {
      title: 'From acceptance to the end, p95',
      about: '95 of 100 jobs take no longer from their acceptance to their final state, waiting and retries included.',
      kind: 'lines',
      unit: 's',
      targets: [[`queue:proofline_job_end_to_end_seconds:p95_5m{${of}}`, '{{queue}}']],
    },
  ];
}
