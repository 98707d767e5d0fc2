/** Events of a mission, in a person's words. */
export const eventWords: Readonly<Record<string, string>> = {
  'mission.created': 'Accepted and planned',
  'policy.evaluated': 'A policy decided who may let it run',
  'mission.started': 'Started',
  'step.dispatched': 'Given to its job',
  'effect.dispatched': 'Given to its job, approved',
  'step.succeeded': 'Succeeded',
  'effect.confirmed': 'Its effect happened',
  'step.failed': 'Failed',
  'step.cancelled': 'Cancelled',
  'step.skipped': 'Will not run',
  'human.requested': 'Consent of its human requested',
  'human.verified': 'Its human agreed, with a proof',
  'human.declined': 'Declined',
  'human.expired': 'No answer in time; requested anew',
  'mission.succeeded': 'Every step succeeded',
  'mission.failed': 'Failed',
  'mission.cancelled': 'Cancelled',
  'receipt.sealed': 'The receipt is sealed',
  'receipt.anchored': 'The receipt is on the chain',
  'mission.closed': 'Nothing more will come',
};

export const eventTypes = Object.keys(eventWords);
