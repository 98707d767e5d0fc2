import { accountScope, challengeMessage } from '#src/access/humans/challenges/challenge-message.ts';
import { makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { enrol } from '#src/access/humans/enrol.ts';
import { createInvite, findInvite } from '#src/access/humans/invites.ts';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import type { Purpose } from '#src/access/humans/store/challenge-store.ts';
import { selectMembers } from '#src/access/humans/store/group-store.ts';
import type { Prover } from '#src/commands/client/prover.ts';
import type { Context } from '#src/system/context.ts';

/** A person with an identity, in a test. Secrets are fixed: what depends on them is the same in every run. */
export interface Person {
  readonly commitment: string;
  readonly prove: (
    members: readonly string[],
    challenge: { readonly purpose: Purpose; readonly body: Readonly<Record<string, string | number | null>> },
  ) => Promise<SemaphoreProof>;
}

export function person(prover: Prover, seed: number): Person {
  const secret = Buffer.alloc(32, seed);
  return {
    commitment: prover.commitmentOf(secret),
    prove: async (members, { purpose, body }) =>
      await prover.prove(secret, members, { message: fromBytes(challengeMessage(purpose, body)), scope: accountScope }),
  };
}

/** The commitments of the group, as `GET /api/v1/humans/group` lists them. */
export async function membersOf(context: Context): Promise<readonly string[]> {
  return (await selectMembers(context.db)).map(({ commitment }) => fromBytes(commitment).toString());
}

/** Enrols a person with a new invite, as an operator and a client would; answers the human's id. */
export async function enrolled(context: Context, who: Person, scopes?: readonly string[]): Promise<string> {
  const { code } = await createInvite(context, { label: 'somebody', createdBy: 'test', ...(scopes && { scopes }) });
  const challenge = await makeChallenge(context, { purpose: 'enrol', body: { commitment: who.commitment } });
  const { id, ...invite } = await findInvite(context, code);
  return await enrol(context, {
    challengeId: challenge.id,
    commitment: who.commitment,
    proof: await who.prove([who.commitment], challenge),
    credential: {
      provider: 'operator-invite',
      providerSubject: null,
      assurance: 'enrolled',
      inviteId: id,
      scopes: invite.scopes,
      tier: invite.tier,
      session: null,
    },
  });
}
