import type { ChainSummary } from './event-chain.ts';
import {
  type HumanProof,
  type outcomes,
  predicateType,
  type SealedMission,
  type Statement,
  type Subject,
  statementType,
} from './receipt-schema.ts';

export interface StatementFacts {
  /** The id of the mission. */
  readonly receiptId: string;
  /** Public address of this service. */
  readonly issuer: string;
  readonly mission: SealedMission;
  readonly events: ChainSummary;
  readonly outcome: (typeof outcomes)[number];
  readonly human: readonly HumanProof[];
  /** Things that were made besides the events: `{name: 'assets/poster.png', digest: {sha256}}`. */
  readonly subjects: readonly Subject[];
  /** RFC 3339, UTC, milliseconds. */
  readonly sealedAt: string;
}

/** The in-toto statement that is sealed; its first subject is the head of the mission's chain of events. */
export function makeStatement({ receiptId, issuer, mission, events, subjects, ...facts }: StatementFacts): Statement {
  const { outcome, human, sealedAt } = facts;
  const { count, genesis, head } = events;
  return {
    _type: statementType,
    subject: [{ name: eventsName(mission.id), digest: { sha256: head } }, ...subjects],
    predicateType,
    predicate: {
      receiptId,
      issuer,
      mission,
      events: { count, genesis, head },
      outcome,
      human: [...human],
      sealedAt,
    },
  };
}

/** Names the events of a mission among the subjects. */
export const eventsName = (missionId: string): string => `missions/${missionId}/events`;
