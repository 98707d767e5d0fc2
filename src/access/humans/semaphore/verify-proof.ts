import type { Context } from '#src/system/context.ts';
import { sharedThreads } from '#src/system/threads.ts';
import type { SemaphoreProof } from './proof-schema.ts';
import type { VerifiedProof } from './verify-semaphore.ts';

const thread = new URL('./verify-semaphore.thread.ts', import.meta.url);

/**
 * Checks the mathematics of a proof, in a thread. What it proves is for `checkProof` to judge.
 *
 * @throws AppError `invalid_proof` when it does not hold.
 */
export async function verifyProof(context: Context, proof: SemaphoreProof): Promise<VerifiedProof> {
  return await sharedThreads(context).run<VerifiedProof>(thread, proof);
}
