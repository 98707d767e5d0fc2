import type { TSchema } from 'typebox';
import type { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { RoutePolicy } from '#src/providers/routing/routing.ts';
import type { Mission, Step } from './mission-row.ts';
import type { Sensitivity } from './plan.ts';

/*
 * What one surface tells another of missions: they are planned and carried out by their own surface, and may be asked for
 * at another.
 */

/** A goal that is planned and, unless it is planned alone, carried out at once. */
export interface GoalAsked {
  readonly goal: string;
  /** What the plan may use; everything without it. */
  readonly only?: readonly string[];
  readonly policy?: RoutePolicy;
  readonly budgetUsd?: number;
  readonly timeoutSeconds: number;
  readonly planOnly: boolean;
  /** What the client sent, as text: a repetition is told by it. */
  readonly request: string;
  readonly idempotencyKey?: string;
  readonly waitMs: number;
  /** Ends the wait, not the mission. */
  readonly signal: AbortSignal;
}

export interface Orchestrated {
  readonly mission: Mission;
  /** In the order of the plan. */
  readonly steps: readonly Step[];
  /** False for a repetition. */
  readonly created: boolean;
  /** How it ended that leaves no success; null otherwise. */
  readonly failure: AppError | null;
}

/** Makes a governed mission of a goal, for whoever asks. */
export type Orchestrate = (principal: Principal, asked: GoalAsked) => Promise<Orchestrated>;

/** What missions can be asked for, and what they can do. */
export interface MissionContracts {
  /** Body of `POST /api/v1/missions`. */
  readonly request: TSchema;
  readonly capabilities: readonly {
    readonly name: string;
    readonly title: string;
    /** Of most of its inputs; some need more. */
    readonly sensitivity: Sensitivity;
    readonly input: TSchema;
  }[];
}
