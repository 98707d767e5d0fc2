import { Type } from 'typebox';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { ScopeName } from '#src/access/scope-schema.ts';
import { ScopeList } from './human-schemas.ts';

const NullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

export const MintRequest = Type.Object(
  {
    challengeId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The challenge (purpose `key`) that the proof answers' }),
    ),
    proof: Type.Optional(SemaphoreProof),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Purpose of the key' })),
    scopes: Type.Optional(ScopeList),
    allowedIps: Type.Optional(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 100,
        description: 'Addresses or CIDR ranges it may be used from; none for anywhere',
      }),
    ),
    expiresAt: Type.Optional(NullableTime),
  },
  {
    additionalProperties: false,
    description: 'With `challengeId` and `proof` a key of the human who proves; without, a lesser key of the caller',
  },
);

const view = {
  id: Type.String(),
  name: Type.String(),
  start: Type.String({ description: 'First characters behind `sk-platform-`' }),
  last4: Type.String(),
  scopes: Type.Array(ScopeName),
  allowedIps: Type.Array(Type.String()),
  tier: Type.String(),
  boundToHuman: Type.Boolean({ description: 'Whether it is bound to a verified human, as mission writes need' }),
  createdByProof: Type.Boolean(),
  madeBy: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The key that made it; null where a person, an operator or a proof did, or where it was not recorded',
  }),
  expiresAt: NullableTime,
  revokedAt: NullableTime,
  lastUsedAt: NullableTime,
  createdAt: Type.String({ format: 'date-time' }),
};

export const KeyView = Type.Object(view);

export const MintAnswer = Type.Object({
  ...view,
  key: Type.String({ description: 'The key itself, shown this once' }),
});

export const KeyParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The key' }) });
