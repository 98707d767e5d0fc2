import { burnAlerts } from './alerts-burn.ts';
import { jobAlerts } from './alerts-jobs.ts';
import { notificationAlerts } from './alerts-notifications.ts';
import { processAlerts } from './alerts-processes.ts';
import { queueAlerts } from './alerts-queues.ts';
import { surfaceAlerts } from './alerts-surfaces.ts';
import type { Alert, AlertFamily } from './rule.ts';

const asFamily = ({ expr, labels, ...alert }: Alert): AlertFamily => ({
  ...alert,
  rules: [{ expr, ...(labels && { labels }) }],
});

/** Every alert there is, by the group of rules it stands in. */
export const alertGroups: Readonly<Record<string, readonly AlertFamily[]>> = {
  'proofline-processes': processAlerts.map(asFamily),
  'proofline-queues': queueAlerts,
  'proofline-jobs': jobAlerts.map(asFamily),
  'proofline-surfaces': surfaceAlerts.map(asFamily),
  'proofline-notifications': notificationAlerts.map(asFamily),
  'proofline-objectives': burnAlerts,
};

export const alerts: readonly AlertFamily[] = Object.values(alertGroups).flat();

/** Link to an alert's section of the runbook, from the root of the repository. */
export const runbookOf = ({ anchor }: Pick<AlertFamily, 'anchor'>): string => `deploy/RUNBOOK.md#${anchor}`;
