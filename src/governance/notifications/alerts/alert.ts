/** Kinds of alerts of operation: an endpoint is notified when one begins, and when it ends. */
export const alertKinds = [
  'group_starves',
  'version_not_taken',
  'limit_refuses',
  'queue_paused',
  'fleet_gone',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Owner of alerts that are for operators alone: about queues of the product, which no owner has registered. */
export const OPERATORS = '';

/** Something that is wrong now. */
export interface Alert {
  readonly kind: AlertKind;
  /** Owner who is notified, beside operators with endpoints for all owners; {@link OPERATORS} for none. */
  readonly owner: string;
  /** Names what it is about, among those of its kind and owner. */
  readonly subject: readonly (string | number | null)[];
  /** Members of the event. */
  readonly data: Readonly<Record<string, unknown>>;
  /** False: it goes on if it was there, and does not begin. */
  readonly begins: boolean;
}

/** Seconds for which the next job of a group waits before the group starves, as the rule `GroupStarves` has it. */
export const STARVES_S = 1_800;
/**
 * Seconds for which a job of a version waits that no worker takes, or one of a fleet without a worker; the rules
 * `VersionNotTaken` and `FleetGone` add up to the same.
 */
export const UNTAKEN_S = 120;
/** Seconds for which a queue is paused before jobs that wait in it are an alert: what is shorter is no mistake. */
export const PAUSED_S = 300;
/** Refusals of one limit within {@link REFUSES_MS}, above which it is an alert, as the rule `LimitRefuses` has it. */
export const REFUSALS = 100;
export const REFUSES_MS = 300_000;
