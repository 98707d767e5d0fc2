import { type Static, Type } from 'typebox';

const field = (description: string) => Type.String({ description });

/** IDKit 4's `rp_context`: our signature under a request for a proof. */
export const RpContext = Type.Object(
  {
    rp_id: field('Our id at the World ID portal'),
    nonce: field('A field element, `0x` and 64 hexadecimal digits'),
    created_at: Type.Integer({ description: 'Seconds since 1970' }),
    expires_at: Type.Integer({ description: 'Seconds since 1970' }),
    signature: field('r, s and v of secp256k1, `0x` and 65 bytes in hexadecimal'),
  },
  { title: 'WorldIdContext', description: 'Handed to IDKit as it is' },
);
export type RpContext = Static<typeof RpContext>;

const common = {
  rpId: field('Our id at the World ID portal'),
  signal: field('What the World ID proof must bind: these bytes, `0x` and hexadecimal'),
  environment: field('Where the proof must come from'),
  rpContext: RpContext,
};

/** Input of IDKit for the two proofs of an enrolment. */
export const WorldIdEnrolment = Type.Object(
  {
    ...common,
    action: field('Action of the uniqueness proof'),
    sessionRpContext: Type.Object(RpContext.properties, {
      description: 'Handed to `createSession` of IDKit as it is; the signal is the same',
    }),
  },
  {
    title: 'WorldIdEnrolment',
    description: 'What IDKit needs for the uniqueness proof, and for the session that shows you again later',
  },
);
export type WorldIdEnrolment = Static<typeof WorldIdEnrolment>;

/** Input of IDKit to show that the human of a step is there. */
export const WorldIdPresence = Type.Object(
  {
    ...common,
    sessionId: field('The session of the enrolment, for `proveSession`'),
    requireUserPresence: Type.Literal(true, { description: '`require_user_presence` of the request' }),
  },
  { title: 'WorldIdPresence', description: 'What IDKit needs to show with World ID that you are there' },
);
export type WorldIdPresence = Static<typeof WorldIdPresence>;
