import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Group } from '@semaphore-protocol/group';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { AppError } from '#src/lib/errors.ts';

/**
 * Makes Semaphore proofs of depth 20 on this machine, without a network. Close it: its threads would keep the process.
 */
export interface Prover extends AsyncDisposable {
  /** The public name of an identity, a decimal number. `secret` is 32 random bytes. */
  readonly commitmentOf: (secret: Uint8Array) => string;
  /**
   * A proof that the secret's holder is one of `members` (commitments in the order of the group). Seconds of CPU.
   *
   * @throws AppError `invalid_request` when they are not.
   */
  readonly prove: (
    secret: Uint8Array,
    members: readonly string[],
    signals: { readonly message: bigint; readonly scope: bigint },
  ) => Promise<SemaphoreProof>;
}

export const howToInstallProver =
  'the prover is not installed: "npm install --include=optional" in a checkout, "npm install @semaphore-protocol/core @zk-kit/semaphore-artifacts" elsewhere brings it (parts of it are under the GPL).';

/** Checks whether the packages that prove are installed. */
export function hasProver(): boolean {
  try {
    import.meta.resolve('@semaphore-protocol/core');
    return existsSync(artifact('wasm')) && existsSync(artifact('zkey'));
  } catch {
    return false; // what cannot be resolved is not installed
  }
}

/**
 * The prover, from packages that only clients need: they are optional, since parts of them are under the GPL.
 *
 * @throws AppError `unavailable` with what to install where they are not.
 */
export async function openProver(): Promise<Prover> {
  const { Identity, generateProof, wasm, zkey } = await loadPackages();
  const identityOf = (secret: Uint8Array) => new Identity(Buffer.from(secret));
  return {
    commitmentOf: (secret) => identityOf(secret).commitment.toString(),
    prove: async (secret, members, { message, scope }) => {
      const identity = identityOf(secret);
      const group = new Group([...members]);
      if (group.indexOf(identity.commitment) === -1) {
        throw new AppError(
          'invalid_request',
          'expected an identity that is enrolled here, got one that is not: enrol it first, or name the file of another.',
        );
      }
      // without its files named, the library would download them
      return await generateProof(identity, group, message, scope, 20, { wasm, zkey });
    },
    [Symbol.asyncDispose]: closeCurve,
  };
}

/**
 * Part of the package that is used; its own declarations name files without their endings, which the compiler does not
 * find.
 */
interface SemaphoreCore {
  readonly Identity: new (secret: Buffer) => { readonly commitment: bigint };
  readonly generateProof: (
    identity: { readonly commitment: bigint },
    group: Group,
    message: bigint,
    scope: bigint,
    depth: 20,
    artifacts: { readonly wasm: string; readonly zkey: string },
  ) => Promise<SemaphoreProof>;
}

async function loadPackages() {
  if (!hasProver()) throw new AppError('unavailable', howToInstallProver);
  const { Identity, generateProof }: SemaphoreCore = Object(await import('@semaphore-protocol/core'));
  return { Identity, generateProof, wasm: artifact('wasm'), zkey: artifact('zkey') };
}

function artifact(ending: 'wasm' | 'zkey'): string {
  return fileURLToPath(import.meta.resolve(`@zk-kit/semaphore-artifacts/semaphore-20.${ending}`));
}

/** The curve's threads are kept in a global of the library; without this the process never ends. */
async function closeCurve(): Promise<void> {
  const { curve_bn128: curve } = globalThis as { curve_bn128?: { terminate: () => Promise<void> } | null };
  await curve?.terminate();
}
