import { keccak_256 } from '@noble/hashes/sha3.js';
import { AppError } from '#src/lib/errors.ts';
import { toBytes32 } from './field.ts';
import { verifyGroth16 } from './groth16.ts';
import type { SemaphoreProof } from './proof-schema.ts';

/**
 * Contents of a valid proof, as numbers. None of it is known to be ours yet: not the root, not the message, not the
 * scope.
 */
export interface VerifiedProof {
  readonly root: bigint;
  readonly nullifier: bigint;
  readonly message: bigint;
  readonly scope: bigint;
}

/**
 * Checks the mathematics of a proof, and nothing else of it. About 40 ms of CPU.
 *
 * @throws AppError `invalid_proof` when it does not hold.
 */
export function verifySemaphore(proof: SemaphoreProof): VerifiedProof {
  const said = {
    root: BigInt(proof.merkleTreeRoot),
    nullifier: BigInt(proof.nullifier),
    message: BigInt(proof.message),
    scope: BigInt(proof.scope),
  };
  const fits = said.message >> 256n === 0n && said.scope >> 256n === 0n;
  if (fits && verifyGroth16(proof.points, [said.root, said.nullifier, signal(said.message), signal(said.scope)]))
    return said;
  throw new AppError(
    'invalid_proof',
    'expected a Semaphore proof that holds, got one that does not: it was changed, or made for other values than it names.',
    { field: 'body.proof' },
  );
}

/** Message and scope enter the circuit as Keccak-256 of their 32 bytes, shortened by 8 bits to fit the field. */
function signal(value: bigint): bigint {
  return BigInt(`0x${Buffer.from(keccak_256(toBytes32(value))).toString('hex')}`) >> 8n;
}
