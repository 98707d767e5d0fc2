import { Type } from 'typebox';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const verdict = Type.Enum(['pass', 'fail', 'pending', 'not-checked'], { type: 'string' });
const reason = Type.String({ description: 'Finding in a sentence' });
const Check = Type.Object({ name: Type.String(), verdict, reason }, { title: 'AttestationCheck' });
const count = {
  verdict,
  reason,
  checks: Type.Array(Check, { description: 'The single checks; the worst one speaks' }),
};

/** Findings of a check of a receipt. */
export const Attestation = Type.Object(
  {
    integrity: Type.Object(count, { description: 'Whether its parts are whole and fit each other' }),
    authenticity: Type.Object(count, { description: 'Whether a key of this service sealed it while the key was good' }),
    anchor: Type.Object(
      {
        ...count,
        finality: nullable(
          Type.Enum(['included', 'safe', 'finalized'], { type: 'string' }),
          'Finality of the block; null unless the anchor passes',
        ),
        calldata: nullable(
          Type.String(),
          'Calldata of the transaction as the chain returned it; null without `onchain=1`, and where the chain did not have the transaction',
        ),
        equalsRoot: nullable(
          Type.Boolean(),
          'Whether `calldata` is `root`, byte for byte; null where there is no calldata to compare',
        ),
        root: nullable(
          Type.String(),
          'What this receipt’s own root, recomputed from its statement, folds to through `anchor.proof`: itself in a batch of one, else the Merkle root of the batch (RFC 6962). A batch puts this one root on the chain for all its receipts',
        ),
        inclusion: nullable(
          Type.Enum(['direct', 'merkle'], { type: 'string' }),
          '`direct`: `root` is the receipt’s own root; `merkle`: it is the root of a batch that holds the receipt',
        ),
        anchoredAt: nullable(Type.String(), 'Time of the block; null unless the anchor passes'),
      },
      { description: 'Whether the chain holds its root' },
    ),
  },
  { title: 'Attestation' },
);
