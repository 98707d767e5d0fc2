/** Formats of messages. */
export const formats = ['raw', 'slack', 'discord', 'teams', 'mail'] as const;
export type Format = (typeof formats)[number];

/** Families of events, by the first part of their type, each with what it tells. */
export const families = {
  job: 'Jobs: job.queued, job.started, job.retrying, job.awaiting_approval, job.succeeded, job.failed, job.cancelled and every other event of their streams',
  flow: 'Flows: flow.succeeded, flow.failed, flow.cancelled',
  mission:
    'Missions: mission.succeeded, mission.failed, mission.cancelled, mission.closed, and mission.step.failed, mission.human.requested and the like of their steps',
  approval: 'Decisions: approval.waiting, approval.decided, approval.used, approval.expired',
  budget: 'Budgets: budget.80 and budget.100, once a budget',
  signal: 'Market signals by their kind, such as signal.wall_break',
  alert: 'The same by the name of their stream: alert.wall_break',
  endpoint: 'Endpoints: endpoint.disabled, when one of yours has failed for a day',
  spend: 'Money: spend.reserved, spend.settled, spend.released, spend.unknown',
  brief: 'Briefs of the studio: brief.created',
  plan: 'Plans of the studio: plan.created',
  asset: 'What was made: asset.created',
  provider: 'Providers: provider.setup_requested',
} as const;
export type Family = keyof typeof families;

/** Pattern of an event filter: a type, or the beginning of types before `.*`; `*` for all. */
export const PATTERN = `^(\\*|(${Object.keys(families).join('|')})(\\.[a-z0-9_]{1,40}){0,3}(\\.\\*)?)$`;

/** Names by which a filter may want an event of this type. */
export function namesOf(type: string): readonly string[] {
  if (type.startsWith('signal.')) return [type, `alert.${type.slice('signal.'.length)}`];
  if (type.startsWith('flow.')) return [type, `job.${type.slice('flow.'.length)}`];
  return [type];
}

/** Checks whether one of the patterns takes an event of this type. */
export function wantsType(patterns: readonly string[], type: string): boolean {
  return namesOf(type).some((name) => patterns.some((pattern) => fits(pattern, name)));
}

function fits(pattern: string, name: string): boolean {
  if (pattern === '*' || pattern === name) return true;
  return pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1));
}

/** Checks whether a pattern can take any event of a family. */
export function wantsFamily(patterns: readonly string[], family: Family): boolean {
  return patterns.some((pattern) => pattern === '*' || pattern === family || pattern.startsWith(`${family}.`));
}
