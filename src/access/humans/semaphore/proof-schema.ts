import Type, { type Static } from 'typebox';

/**
 * A number as Semaphore writes it: decimal, without leading zeros. One number has one text, so that one nullifier
 * cannot be shown as two.
 */
const Decimal = (description: string) => Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$', maxLength: 78, description });

/** A Semaphore v4 proof, as `generateProof` of @semaphore-protocol/core gives it. About 1 kB of JSON. */
export const SemaphoreProof = Type.Object(
  {
    merkleTreeDepth: Type.Literal(20, { description: 'Depth of the circuit; there is one' }),
    merkleTreeRoot: Decimal('Root of the group that the proof was made against'),
    nullifier: Decimal('Same for every proof of one identity in one scope'),
    message: Decimal('SHA-256 of the challenge, as a number'),
    scope: Decimal('SHA-256 of `platform/account/v1`, as a number'),
    points: Type.Array(Decimal('Coordinate of a point of the Groth16 proof'), { minItems: 8, maxItems: 8 }),
  },
  { title: 'SemaphoreProof', additionalProperties: false, description: 'A Semaphore v4 proof of depth 20' },
);
export type SemaphoreProof = Static<typeof SemaphoreProof>;
