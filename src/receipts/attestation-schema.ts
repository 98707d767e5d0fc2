import { Type } from 'typebox';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const verdict = Type.Enum(['pass', 'fail', 'pending', 'not-checked'], { type: 'string' });
const reason = Type.String({ description: 'What was found, in a sentence' });
const Check = Type.Object({ name: Type.String(), verdict, reason });
const count = {
  verdict,
  reason,
  checks: Type.Array(Check, { description: 'The single checks; the worst one speaks' }),
};

/** What a check of a receipt found. */
export const Attestation = Type.Object({
  integrity: Type.Object(count, { description: 'Whether its parts are whole and fit each other' }),
  authenticity: Type.Object(count, { description: 'Whether a key of this service sealed it while the key was good' }),
  anchor: Type.Object(
    {
      ...count,
      finality: nullable(
        Type.Enum(['included', 'safe', 'finalized'], { type: 'string' }),
        'How firm the block stands; null unless the anchor passes',
      ),
      calldata: nullable(Type.String(), 'Calldata of the transaction, read back from the chain with `onchain=1`'),
      equalsRoot: nullable(Type.Boolean(), 'Whether it is what this receipt’s own root folds to'),
      root: nullable(Type.String(), 'What this receipt’s root folds to'),
      inclusion: nullable(
        Type.Enum(['direct', 'merkle'], { type: 'string' }),
        '`direct`: the calldata is the receipt’s root itself',
      ),
      anchoredAt: nullable(Type.String(), 'Time of the block; null unless the anchor passes'),
    },
    { description: 'Whether the chain holds its root' },
  ),
});
