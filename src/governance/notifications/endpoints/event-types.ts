import { missionEventTypes, noticeTypes } from '#src/governance/missions/mission-log.ts';
import { alertKinds } from '#src/governance/notifications/alerts/alert.ts';
import { ownerEventTypes } from '#src/governance/owners/owner-event-types.ts';
import { jobStreamDescription } from '#src/http/documents/job-stream-description.ts';
import { AppError } from '#src/lib/errors.ts';
import { editDistance } from '#src/lib/text/edit-distance.ts';

/** Formats of messages. */
export const formats = ['raw', 'slack', 'discord', 'teams', 'mail'] as const;
export type Format = (typeof formats)[number];

/** Types of events by the names of owners’ streams that endpoints know by other names. */
export const approvalTypes: Readonly<Record<string, string>> = {
  'approval.requested': 'approval.waiting',
  'approval.granted': 'approval.decided',
  'approval.declined': 'approval.decided',
};

/** Type of a mission’s event, also of one of its steps. */
export const missionType = (type: string): string => (type.startsWith('mission.') ? type : `mission.${type}`);

const jobTypes = Object.entries(jobStreamDescription.events).flatMap(([type, { transient }]) =>
  transient ? [] : [type],
);
/** Events of flows alone. */
const flowTypes = ['unfolded', 'node'];
const ownerTypes = (family: string): readonly string[] =>
  ownerEventTypes.filter((type) => type.startsWith(`${family}.`)).map((type) => approvalTypes[type] ?? type);

/** Kinds of market signals. */
const signals = [
  'regime_change',
  'flip_proximity',
  'flip_breach',
  'wall_test',
  'wall_break',
  'pin',
  'charm_drift',
  'vanna_squeeze',
  'gtbr_breach',
  'shadow_instability',
  'dark_confirmation',
  'anomaly',
];

const named = (family: string, names: readonly string[]): readonly string[] => names.map((name) => `${family}.${name}`);

/**
 * The registry of what endpoints can be notified of, by family: the first part of the types. A test holds it equal to what
 * the streams carry.
 */
export const families = {
  job: {
    about: 'Jobs',
    types: named(
      'job',
      jobTypes.filter((type) => !flowTypes.includes(type)),
    ),
  },
  flow: { about: 'Flows', types: named('flow', jobTypes) },
  mission: { about: 'Missions and their steps', types: [...missionEventTypes, ...noticeTypes].map(missionType) },
  approval: { about: 'Decisions by people', types: [...new Set(ownerTypes('approval'))] },
  budget: {
    about: 'A budget of a month or a mission is used to so many per cent',
    types: named('budget', ['80', '100']),
  },
  signal: { about: 'Market signals by their kind', types: named('signal', signals) },
  alert: {
    about: 'Operation: what is wrong begins and ends; market signals have this name too, that of their stream',
    types: named('alert', [...alertKinds, ...signals]),
  },
  batch: { about: 'Ends of batches', types: named('batch', ['completed', 'failed', 'expired', 'cancelled']) },
  package: { about: 'Packages of the studio at their receivers', types: named('package', ['delivered', 'unknown']) },
  endpoint: { about: 'An endpoint of yours was disabled', types: named('endpoint', ['disabled']) },
  spend: { about: 'Money', types: ownerTypes('spend') },
  brief: { about: 'Briefs of the studio', types: ownerTypes('brief') },
  plan: { about: 'Plans of the studio', types: ownerTypes('plan') },
  asset: { about: 'Assets', types: ownerTypes('asset') },
  provider: { about: 'Providers', types: ownerTypes('provider') },
} as const satisfies Record<string, { readonly about: string; readonly types: readonly string[] }>;
export type Family = keyof typeof families;

/** Every type that an event for endpoints can have. */
export const eventTypes: ReadonlySet<string> = new Set(Object.values(families).flatMap(({ types }) => types));

/** Pattern of an event filter: a type, or the beginning of types before `.*`; `*` for all. */
export const PATTERN = `^(\\*|(${Object.keys(families).join('|')})(\\.[a-z0-9_]{1,40}){0,3}(\\.\\*)?)$`;

/**
 * Checks that each pattern can take an event: one with a slip would be silent for ever.
 *
 * @throws AppError `invalid_request`
 */
export function assertPatterns(patterns: readonly string[], field = 'body.events'): void {
  for (const [index, pattern] of patterns.entries()) {
    if ([...eventTypes].some((type) => fits(pattern, type))) continue;
    const [nearest] = [...eventTypes].toSorted((a, b) => editDistance(pattern, a) - editDistance(pattern, b));
    const place = `${field}[${index}]`;
    throw new AppError(
      'invalid_request',
      `${place}: expected a type of event such as ${nearest}, a family such as job.*, or * for all, got ${pattern}.`,
      { field: place, value: pattern },
    );
  }
}

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
