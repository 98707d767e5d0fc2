import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { assurances } from '#src/access/humans/store/assurance.ts';
import { WorldIdPresence } from '#src/access/humans/world-id/world-id-schemas.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { missionStates, stepStates } from './mission-states.ts';
import { Plan } from './plan.ts';

const Time = Type.Unsafe<Date>(Type.Any());
const OptionalTime = Type.Union([Time, Type.Null()]);
const Failure = Type.Object({ code: Type.String(), message: Type.String(), details: Type.Unsafe<unknown>({}) });
export type Failure = Static<typeof Failure>;

/** A mission as it is stored; money in millionths of a dollar. */
export const Mission = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  human: Type.String(),
  goal: Type.String(),
  inputs: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
  plan: Plan,
  salt: Type.Unsafe<Buffer>(Type.Any()),
  state: Type.Enum([...missionStates]),
  budget: Type.Union([Type.Integer(), Type.Null()]),
  spent: Type.Integer(),
  timeoutS: Type.Integer(),
  deadlineAt: OptionalTime,
  genesis: Type.String(),
  head: Type.String(),
  chained: Type.Integer(),
  events: Type.Integer(),
  error: Type.Union([Failure, Type.Null()]),
  createdAt: Time,
  executedAt: OptionalTime,
  finishedAt: OptionalTime,
  sealedAt: OptionalTime,
  closedAt: OptionalTime,
});
export type Mission = Static<typeof Mission>;
export const missionRow = row(Mission);
export const missionColumns = sql.fragment`
  m.id, m.owner, m.human, m.goal, m.inputs, m.plan, m.salt, m.state, m.budget, m.spent, m.timeout_s as "timeoutS",
  m.deadline_at as "deadlineAt", m.genesis, m.head, m.chained, m.events, m.error, m.created_at as "createdAt",
  m.executed_at as "executedAt", m.finished_at as "finishedAt", m.sealed_at as "sealedAt",
  m.closed_at as "closedAt"`;

/** A human's decision about a step, as the receipt shows it. */
export const HumanDecision = Type.Object({
  assurance: Type.Enum([...assurances]),
  provider: Type.String(),
  challengeSha256: Type.String(),
});
export type HumanDecision = Static<typeof HumanDecision>;

/** Challenge that a human proves over. */
export const StepChallenge = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Names the challenge; a proof uses it up' }),
    body: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
      description: 'Statement that is agreed to: mission, step, plan, the exact effect, a nonce and an expiry',
    }),
    sha256: Type.String({ description: 'Message that the proof is made over: SHA-256 of the body, hexadecimal' }),
    expiresAt: Type.String({ format: 'date-time', description: 'Until when it can be answered' }),
    worldId: Type.Optional(WorldIdPresence),
  },
  { title: 'StepChallenge', description: 'The challenge that a human answers with a proof of personhood' },
);
export type StepChallenge = Static<typeof StepChallenge>;

/** State of a step; its input and output, which may be long, are read where they are needed. */
export const Step = Type.Object({
  step: Type.String(),
  state: Type.Enum([...stepStates]),
  effect: Type.Union([Type.String(), Type.Null()]),
  challenge: Type.Union([StepChallenge, Type.Null()]),
  job: Type.Union([Type.String(), Type.Null()]),
  outputLength: Type.Union([Type.Integer(), Type.Null()]),
  outputHash: Type.Union([Type.String(), Type.Null()]),
  human: Type.Union([HumanDecision, Type.Null()]),
  error: Type.Union([Failure, Type.Null()]),
  startedAt: OptionalTime,
  finishedAt: OptionalTime,
});
export type Step = Static<typeof Step>;
export const stepRow = row(Step);
export const stepColumns = sql.fragment`
  s.step, s.state, s.effect, s.challenge, s.job, s.output_length as "outputLength", s.output_hash as "outputHash", s.human, s.error,
  s.started_at as "startedAt", s.finished_at as "finishedAt"`;

/** A job of a step that has ended. */
export const EndedJob = Type.Object({
  id: Type.String(),
  state: Type.String(),
  error: Type.Union([Failure, Type.Null()]),
  /** Null for one that is too long to be read with others, as well. */
  result: Type.Unsafe<unknown>({}),
});
export type EndedJob = Static<typeof EndedJob>;
