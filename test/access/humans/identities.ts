import { accountScope, challengeMessage } from '#src/access/humans/challenges/challenge-message.ts';
import { makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { enrol } from '#src/access/humans/enrol.ts';
import { createInvite, findInvite, useInvite } from '#src/access/humans/invites.ts';
import { fromBytes, toBytes32 } from '#src/access/humans/semaphore/field.ts';
import { changeGroup } from '#src/access/humans/semaphore/group.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import type { Purpose } from '#src/access/humans/store/challenge-store.ts';
import { selectMembers } from '#src/access/humans/store/group-store.ts';
import { insertHuman } from '#src/access/humans/store/human-store.ts';
import type { Prover } from '#src/commands/client/prover.ts';
import type { Context } from '#src/system/context.ts';

/** A person with an identity, in a test. Secrets are fixed: what depends on them is the same in every run. */
export interface Person {
  readonly commitment: string;
  /** Id of the human once they have enrolled. */
  readonly human: string;
  readonly prove: (
    members: readonly string[],
    challenge: { readonly purpose: Purpose; readonly body: Readonly<Record<string, string | number | null>> },
  ) => Promise<SemaphoreProof>;
}

/** The fixed secrets, and what a proof over each shows, as humans.int.test.ts holds it: commitment and id of the human. */
const known = {
  1: [
    '13077993975812165370966885403993971692250188476543979671127900155912791347982',
    '1f5d3231a9d3727486fc18918663db1c3fba4b2f226805deca158e4b0086a03b',
  ],
  2: [
    '1623878171162583655413791332437311425750514553518641368880166214603756207045',
    '03808548a32eaadee87ecc13a7a9d9f57492e203cc63bc6f997c1ba387d79bd0',
  ],
  3: [
    '16174229374558414938032948943992723392793391478740518529524463024839121948474',
    '2c3b453d6ea8c2fc0ff0bdb1f5e1f785fe48a15fb90227812c9e5045405482d6',
  ],
} as const;

export const secretOf = (seed: keyof typeof known): Buffer => Buffer.alloc(32, seed);

/** A person whom nobody asks for a proof. */
export function enrolling(seed: keyof typeof known): Omit<Person, 'prove'> {
  const [commitment, human] = known[seed];
  return { commitment, human };
}

export function person(prover: Prover, seed: keyof typeof known): Person {
  const secret = secretOf(seed);
  return {
    ...enrolling(seed),
    prove: async (members, { purpose, body }) =>
      await prover.prove(secret, members, { message: fromBytes(challengeMessage(purpose, body)), scope: accountScope }),
  };
}

/** The commitments of the group, as `GET /api/v1/humans/group` lists them. */
export async function membersOf(context: Context): Promise<readonly string[]> {
  return (await selectMembers(context.db)).map(({ commitment }) => fromBytes(commitment).toString());
}

/** Enrols a person with a new invite, but without the proof, which takes seconds; answers the human's id. */
export async function enrolled(context: Context, { commitment, human }: Omit<Person, 'prove'>): Promise<string> {
  const { code } = await createInvite(context, { label: 'somebody', createdBy: 'test' });
  const { id, scopes, tier } = await findInvite(context, code);
  await changeGroup(context, 'add', async (tx) => {
    await useInvite(tx, id);
    await insertHuman(tx, {
      ...operatorInvite,
      inviteId: id,
      scopes,
      tier,
      worldIdSession: null,
      nullifier: Buffer.from(human, 'hex'),
      commitment: toBytes32(BigInt(commitment)),
    });
  });
  return human;
}

/** Enrols a person with a new invite and a proof, as an operator and a client would; answers the human's id. */
export async function enrolledByProof(context: Context, who: Person): Promise<string> {
  const { code } = await createInvite(context, { label: 'somebody', createdBy: 'test' });
  const challenge = await makeChallenge(context, { purpose: 'enrol', body: { commitment: who.commitment } });
  const { id, scopes, tier } = await findInvite(context, code);
  return await enrol(context, {
    challengeId: challenge.id,
    commitment: who.commitment,
    proof: await who.prove([who.commitment], challenge),
    credential: { ...operatorInvite, inviteId: id, scopes, tier, session: null },
  });
}

const operatorInvite = { provider: 'operator-invite', providerSubject: null, assurance: 'enrolled' } as const;
