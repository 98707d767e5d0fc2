/** Kinds of alerts of operation: an endpoint is notified when one begins, and when it ends. */
export const alertKinds = ['group_starves', 'version_not_taken', 'limit_refuses'] as const;
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
/** Seconds for which a job of a version waits that no worker takes; the rule `VersionNotTaken` adds up to the same. */
export const UNTAKEN_S = 120;
/** Refusals of one limit within {@link REFUSES_MS}, above which it is an alert, as the rule `LimitRefuses` has it. */
export const REFUSALS = 100;
export const REFUSES_MS = 300_000;
