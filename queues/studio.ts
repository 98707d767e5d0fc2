import Type from 'typebox';
import { defineQueue } from './define.ts';
import { AssetRef } from './providers.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Renders one approved plan: a child job for each call of a provider, then the receipt. */
export const render = defineQueue({
  name: 'studio.render',
  title: 'Render the assets of an approved plan',
  payload: Type.Object({ planId: Id, approvalId: Id, ceiling: Type.Integer({ minimum: 0 }) }, strict),
  result: Type.Object(
    {
      planId: Id,
      assets: Type.Array(AssetRef),
      /** Millionths of a dollar. */
      cost: Type.Integer({ minimum: 0 }),
      receiptId: Id,
      /** Hexadecimal: with it the owner can show what the receipt holds as salted hashes. */
      salt: Type.String(),
      /** Differences between the products and the request, in sentences. */
      warnings: Type.Optional(Type.Array(Type.String())),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String(), done: Type.Integer(), of: Type.Integer() }, strict),
  timeoutMs: 60 * 60_000,
});

/**
 * Makes an export package for each channel, and delivers it where the operator has configured that. Once it has failed
 * for good its receipt says so and it cannot run again, so its attempts spread over about ten minutes (half of 20, 40,
 * 80, 160, 300, 300 and 300 seconds, with the jitter): a receiver that is away for minutes is reached.
 */
export const publish = defineQueue({
  name: 'studio.publish',
  title: 'Package assets for their channels, and deliver them',
  payload: Type.Object(
    {
      approvalId: Id,
      assetIds: Type.Array(Id, { minItems: 1, maxItems: 50 }),
      planId: Type.Union([Id, Type.Null()]),
      channels: Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: 12 }),
    },
    strict,
  ),
  result: Type.Object(
    {
      packages: Type.Array(
        Type.Object(
          {
            channel: Type.String(),
            asset: AssetRef,
            /** `exported` lies here for a person to take; `delivered` was sent to the channel's address. */
            status: Type.Enum(['exported', 'delivered'], { type: 'string' }),
            externalId: Type.Union([Type.String(), Type.Null()]),
          },
          strict,
        ),
      ),
      receiptId: Id,
      /** Hexadecimal: with it the owner can show what the receipt holds as salted hashes. */
      salt: Type.String(),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String(), done: Type.Integer(), of: Type.Integer() }, strict),
  attempts: 8,
  backoffMs: 20_000,
  backoffCapMs: 300_000,
  timeoutMs: 15 * 60_000,
});
