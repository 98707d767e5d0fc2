import { Type } from 'typebox';
import { keyActions } from '#src/access/keys/key-changes.ts';
import { StudioKeyScopeName } from '#src/access/scope-schema.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const NullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Purpose of the key' }),
  scopes: Type.Array(StudioKeyScopeName, {
    minItems: 1,
    maxItems: studioKeyScopes.length,
    uniqueItems: true,
    description: 'Scopes of the key; never more than the caller has',
  }),
  allowedIps: Type.Array(Type.String({ pattern: `^${byte}(\\.${byte}){3}(/32)?$` }), {
    maxItems: 25,
    uniqueItems: true,
    description: 'IPv4 addresses it may be used from; none for anywhere',
  }),
};

export const KeyCreate = Type.Object(
  {
    name: fields.name,
    scopes: fields.scopes,
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time at which it ends; without it, never' }),
    ),
    allowedIps: Type.Optional(fields.allowedIps),
  },
  { additionalProperties: false },
);

export const KeyChange = Type.Object(
  {
    name: Type.Optional(fields.name),
    scopes: Type.Optional(fields.scopes),
    allowedIps: Type.Optional(fields.allowedIps),
  },
  { additionalProperties: false, minProperties: 1 },
);

const record = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  keyPrefix: Type.String({ description: 'The beginning of the secret, masked' }),
  scopes: Type.Array(StudioKeyScopeName, {
    description: 'Scopes of the key that the studio knows; those over jobs are at `GET /api/v1/keys`',
  }),
  madeBy: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The key that made it; null where a person, an operator or a proof did, or where it was not recorded',
  }),
  usageCount: Type.Integer({ minimum: 0, description: 'Calls of CALLS_RETENTION_DAYS' }),
  rateLimitTier: Type.String(),
  rateLimitPerMinute: Type.Integer({ minimum: 1 }),
  rateLimitPerDay: Type.Integer({ minimum: 1 }),
  allowedIps: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'Null for anywhere' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: NullableTime,
  revokedAt: NullableTime,
  lastUsedAt: NullableTime,
};

export const KeyRecord = Type.Object(record, { title: 'StudioKey' });

export const CreatedKey = Type.Object({
  ...record,
  key: Type.String({ description: 'The key itself, shown this once' }),
});

export const KeyList = Type.Object({
  object: Type.Literal('list'),
  keys: Type.Array(KeyRecord, { description: 'Oldest first, the revoked ones too' }),
  count: Type.Integer({ minimum: 0 }),
});

export const RevokedKey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  object: Type.Literal('key'),
  revoked: Type.Literal(true),
  revokedAt: Type.String({ format: 'date-time' }),
});

const Milliseconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);

export const KeyUsage = Type.Object(
  {
    stats: Type.Object(
      {
        totalCalls: Type.Integer({ minimum: 0 }),
        callsLast24h: Type.Integer({ minimum: 0 }),
        callsLast7d: Type.Integer({ minimum: 0 }),
        succeeded: Type.Integer({ minimum: 0 }),
        failed: Type.Integer({ minimum: 0, description: 'Answered with 400 or above' }),
        averageDurationMs: Milliseconds,
        firstCallAt: NullableTime,
        lastCallAt: NullableTime,
        retentionDays: Type.Integer({ minimum: 1, description: 'Over how many days it is counted' }),
      },
      { description: 'All calls of the key' },
    ),
    capabilityBreakdown: Type.Array(
      Type.Object({
        capability: Type.String(),
        calls: Type.Integer({ minimum: 0 }),
        failed: Type.Integer({ minimum: 0 }),
        averageDurationMs: Milliseconds,
        lastCallAt: NullableTime,
      }),
      { description: 'By what was called, most calls first' },
    ),
    byDay: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'In UTC' }),
        capability: Type.String(),
        calls: Type.Integer({ minimum: 1 }),
        failed: Type.Integer({ minimum: 0 }),
      }),
      { description: 'The same by day as well, oldest first; days without calls are missing' },
    ),
    logs: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        capability: Type.String(),
        via: Type.Enum(['http', 'mcp'], { type: 'string' }),
        status: Type.Integer(),
        durationMs: Type.Integer({ minimum: 0 }),
        requestId: Type.String(),
        ip: Type.Union([Type.String(), Type.Null()]),
      }),
      { description: 'The newest 100 calls, newest first' },
    ),
    changes: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        action: Type.Enum([...keyActions], { type: 'string' }),
        changedBy: Type.String({ description: 'The key or the person that did it' }),
        changes: Type.Unsafe<unknown>({ description: 'Values that were set' }),
        requestId: Type.String(),
      }),
      { description: 'Changes of the key, newest first, at most 100' },
    ),
  },
  { title: 'StudioKeyUsage' },
);

export const KeyParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The key' }) });
