import { Type } from 'typebox';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { ScopeName } from '#src/access/scope-schema.ts';
import { scopes } from '#src/lib/principal.ts';

const NullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const KeyName = Type.String({ minLength: 1, maxLength: 100, description: 'Purpose of the key' });
const KeyScopes = Type.Array(ScopeName, {
  maxItems: scopes.length,
  uniqueItems: true,
  description: 'Scopes of the key; never more than the caller has',
  examples: [['jobs.submit', 'jobs.work', 'jobs.manage']],
});
const Addresses = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 100,
  description: 'Addresses or CIDR ranges it may be used from; none for anywhere',
});

export const MintRequest = Type.Object(
  {
    challengeId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The challenge (purpose `key`) that the proof answers' }),
    ),
    proof: Type.Optional(SemaphoreProof),
    name: Type.Optional(KeyName),
    scopes: Type.Optional(KeyScopes),
    allowedIps: Type.Optional(Addresses),
    expiresAt: Type.Optional(NullableTime),
  },
  {
    additionalProperties: false,
    description: 'With `challengeId` and `proof` a key of the human who proves; without, a lesser key of the caller',
  },
);

export const ChangeRequest = Type.Object(
  {
    name: Type.Optional(KeyName),
    scopes: Type.Optional(KeyScopes),
    allowedIps: Type.Optional(Addresses),
  },
  { additionalProperties: false, minProperties: 1, description: 'Members that change; at least one' },
);

const view = {
  id: Type.String(),
  name: Type.String(),
  start: Type.String({ description: 'First characters behind `sk-platform-`' }),
  last4: Type.String(),
  scopes: Type.Array(ScopeName),
  allowedIps: Type.Array(Type.String()),
  tier: Type.String(),
  rateLimitPerMinute: Type.Integer({ minimum: 1 }),
  rateLimitPerDay: Type.Integer({ minimum: 1 }),
  usageCount: Type.Integer({ minimum: 0, description: 'Calls of CALLS_RETENTION_DAYS' }),
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

export const KeyView = Type.Object(view, { title: 'ApiKey' });

export const MintAnswer = Type.Object({
  ...view,
  key: Type.String({ description: 'The key itself, shown this once' }),
});

export const KeyParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The key' }) });
