import { Type } from 'typebox';
import { longestInviteDays } from '#src/access/humans/invites.ts';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { AssuranceName } from '#src/access/humans/store/assurance-schema.ts';
import { purposes } from '#src/access/humans/store/challenge-store.ts';
import { WorldIdEnrolment } from '#src/access/humans/world-id/world-id-schemas.ts';
import { ScopeName } from '#src/access/scope-schema.ts';
import { scopes } from '#src/lib/principal.ts';
import { Time } from '#src/lib/validation/schema-parts.ts';

const closed = { additionalProperties: false } as const;

const ScopeList = Type.Array(ScopeName, {
  maxItems: scopes.length,
  uniqueItems: true,
});

const Commitment = Type.String({
  pattern: '^[1-9][0-9]{0,77}$',
  maxLength: 78,
  description: 'Semaphore identity commitment, a decimal number',
});

export const ChallengeRequest = Type.Object(
  {
    purpose: Type.Enum(['enrol', 'key'], { type: 'string', description: 'Purpose of the proof' }),
    commitment: Type.Optional(Commitment),
    provider: Type.Optional(
      Type.Enum(['operator-invite', 'world-id'], {
        type: 'string',
        description: 'Provider that vouches for an enrolment; `operator-invite` where nothing is said',
      }),
    ),
  },
  closed,
);

export const ChallengeAnswer = Type.Object(
  {
    challengeId: Type.String({ format: 'uuid' }),
    purpose: Type.Enum([...purposes], { type: 'string', description: 'Purpose of the proof' }),
    body: Type.Record(Type.String(), Type.Unsafe<string | number | null>({}), {
      description:
        'Statement that the proof agrees to. The message is SHA-256("platform/<purpose>-challenge/v1\\n" and the RFC 8785 text of this)',
    }),
    sha256: Type.String({ description: 'That SHA-256; compute it yourself, and compare' }),
    scope: Type.String({ description: 'Scope of the proof: SHA-256("platform/account/v1") as a decimal number' }),
    expiresAt: Time('When it can be answered no more'),
    worldId: Type.Optional(WorldIdEnrolment),
  },
  { title: 'HumanChallenge' },
);

export const EnrolRequest = Type.Object(
  {
    challengeId: Type.String({ format: 'uuid' }),
    commitment: Commitment,
    proof: SemaphoreProof,
    invite: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The code that an operator gave you' }),
    ),
    worldId: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'The uniqueness result of IDKit 4, unchanged' }),
    ),
    worldIdSession: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'The `createSession` result of IDKit 4, unchanged; with `worldId`' },
      ),
    ),
  },
  closed,
);

export const EnrolAnswer = Type.Object({
  human: Type.String({ description: 'The id of this human here; keep it to yourself' }),
  provider: Type.String(),
  assurance: AssuranceName('`enrolled`: an operator vouches; `unique`: a provider showed that they enrolled once'),
});

export const GroupAnswer = Type.Object(
  {
    root: Type.Union([Type.String(), Type.Null()], {
      description: 'Root of the Semaphore group; null while it has no member',
    }),
    depth: Type.Literal(20, { description: 'Depth of the circuit to prove with' }),
    members: Type.Array(Type.String(), { description: 'Commitments in the order of the leaves' }),
  },
  { title: 'HumanGroup' },
);

export const InviteRequest = Type.Object(
  {
    label: Type.String({ minLength: 1, maxLength: 100, description: 'For whom it is, in your words' }),
    scopes: Type.Optional(ScopeList),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: longestInviteDays,
        description: 'Days in which it can be used; 7 where nothing is said',
      }),
    ),
  },
  closed,
);

export const InviteAnswer = Type.Object({
  id: Type.String(),
  code: Type.String({ description: 'Shown this once' }),
  label: Type.String(),
  scopes: Type.Array(ScopeName),
  expiresAt: Time('When it can be used no more'),
});

export const InviteView = Type.Object(
  {
    id: Type.String(),
    label: Type.String({ description: 'For whom it is, in the words of who made it' }),
    scopes: Type.Array(ScopeName),
    tier: Type.String(),
    createdBy: Type.String({ description: 'The operator who made it' }),
    createdAt: Time('When it was made'),
    expiresAt: Time('When it can be used no more'),
  },
  { title: 'HumanInvite' },
);

export const InviteParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The invite' }) });

export const HumanView = Type.Object(
  {
    id: Type.String(),
    provider: Type.String(),
    assurance: AssuranceName('How surely they are a human, and one'),
    label: Type.Union([Type.String(), Type.Null()]),
    scopes: Type.Array(ScopeName),
    tier: Type.String(),
    createdAt: Time('When they enrolled'),
    removedAt: Type.Union([Time('When they were removed'), Type.Null()]),
  },
  { title: 'VerifiedHuman' },
);

export const HumanParams = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The human' }) });
