import { type Static, Type } from 'typebox';

/*
 * What a receipt may look like. Every object is closed and every text has one spelling (lower-case hexadecimal,
 * canonical base64url, UTC with milliseconds), so that nothing can be added or rewritten without being noticed.
 */

export const closed = <P extends Record<string, Type.TSchema>>(
  properties: P,
  options: { readonly title?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });
const pattern = (source: string, description: string) => Type.String({ pattern: `^${source}$`, description });

export const sha256 = (description: string) =>
  pattern('[0-9a-f]{64}', `${description}: SHA-256, lower-case hexadecimal`);
const hash = (description: string) =>
  pattern('0x[0-9a-f]{64}', `${description}: 32 bytes, 0x and lower-case hexadecimal`);
const count = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const name = (description: string) => pattern('[A-Za-z0-9][A-Za-z0-9._:+-]{0,127}', description);

/** RFC 3339, UTC, milliseconds: `2026-11-21T00:00:00.000Z`. */
export const instant = (description: string) =>
  pattern(
    '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{3}Z',
    description,
  );

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://platform.example/receipt/v1';
export const payloadType = 'application/vnd.in-toto+json';

const Subject = closed(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What the digest is of; the first is `missions/<id>/events`',
    }),
    digest: closed({ sha256: sha256('Digest of the subject') }),
  },
  { title: 'ReceiptSubject' },
);
export type Subject = Static<typeof Subject>;

/** Mission with which the chain of events begins. */
const Mission = closed(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      description: 'The receipt has the same id',
    }),
    goalSha256: sha256('Salted hash of the goal'),
    planSha256: sha256('Hash of the plan'),
    createdAt: instant('When it was accepted'),
  },
  { title: 'ReceiptMission' },
);
export type SealedMission = Static<typeof Mission>;

export const assurances = ['enrolled', 'unique', 'present', 'unique+present'] as const;

const HumanProof = closed(
  {
    step: name('The step that needed a human'),
    assurance: Type.Enum(assurances, { description: 'What the proof showed, and never more' }),
    provider: name('Provider that vouches for it'),
    challengeSha256: sha256('Hash of the challenge that the human answered'),
  },
  { title: 'ReceiptHumanProof' },
);
export type HumanProof = Static<typeof HumanProof>;

export const outcomes = ['succeeded', 'failed', 'cancelled'] as const;

/** Sealed statement: an in-toto statement. Nothing outside it is believed without being recomputed. */
export const Statement = closed(
  {
    _type: Type.Literal(statementType),
    subject: Type.Array(Subject, { minItems: 1 }),
    predicateType: Type.Literal(predicateType),
    predicate: closed({
      receiptId: Type.String({ description: 'The id of the mission, or of the job of a live execution' }),
      issuer: Type.String({ pattern: '^https?://[^\\s"<>]{1,500}$', description: 'Public address of who issued it' }),
      mission: Mission,
      events: closed({
        count: count('Number of events'),
        genesis: sha256('Hash of the mission, the first event’s predecessor'),
        head: sha256('Hash of the last event; of none, the genesis'),
      }),
      outcome: Type.Enum(outcomes),
      human: Type.Array(HumanProof),
      sealedAt: instant('When it was sealed, as its issuer says'),
    }),
  },
  { title: 'ReceiptStatement' },
);
export type Statement = Static<typeof Statement>;

export const keyId = pattern('[A-Za-z0-9_-]{43}', 'RFC 7638 thumbprint of the public key');

/** A seal over a payload of this type. */
export const sealed = <T extends Type.TSchema>(payload: T, title: string) =>
  closed(
    {
      alg: Type.Literal('Ed25519'),
      kid: keyId,
      payloadType: payload,
      sig: pattern('[A-Za-z0-9_-]{86}', 'Ed25519 over the DSSE pre-authentication encoding, base64url'),
    },
    { title },
  );

export const Seal = sealed(Type.Literal(payloadType), 'ReceiptSeal');
export type Seal = Static<typeof Seal>;

export const MissionEvent = closed(
  {
    seq: count('From 0, without a gap'),
    type: name('Type of the event'),
    at: instant('When'),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Hashes, names and counts; what is private only as a salted hash',
    }),
    prev: sha256('Hash of the event before; of the first, the genesis'),
    hash: sha256('Hash of this event'),
  },
  { title: 'ReceiptEvent' },
);
export type MissionEvent = Static<typeof MissionEvent>;

export const Anchor = closed(
  {
    chain: pattern('eip155:[1-9][0-9]{0,15}', 'CAIP-2 id of the chain'),
    from: pattern('0x[0-9a-f]{40}', 'The account that anchors, in lower case; it sends to itself'),
    root: hash('Root of the batch, and the whole calldata of the transaction'),
    proof: closed({
      alg: Type.Literal('rfc6962-sha256'),
      index: count('Position of this receipt in its batch'),
      size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Receipts in the batch' }),
      path: Type.Array(hash('A hash on the way to the root'), { maxItems: 64 }),
    }),
    tx: hash('The transaction'),
    block: closed({ number: count('Height of the block'), hash: hash('The block') }),
    rawTx: pattern('0x[0-9a-f]{2,20000}', 'The signed transaction'),
  },
  { title: 'ReceiptAnchor' },
);
export type Anchor = Static<typeof Anchor>;

export const Receipt = closed(
  {
    version: Type.Literal('receipt/v1'),
    id: Type.String({ description: 'The id of the mission, or of the job of a live execution' }),
    root: hash('RFC 6962 leaf hash of the canonical statement'),
    statement: Statement,
    seal: Seal,
    events: Type.Array(MissionEvent),
    anchor: Type.Union([Anchor, Type.Null()], { description: 'null until the transaction is included' }),
  },
  { title: 'Receipt' },
);
export type Receipt = Static<typeof Receipt>;
