import Type, { type Static } from 'typebox';

/** Names a payload or a result that lies in the artefact storage, beside its row. */
export const ContentRef = Type.Object({
  /** Digest of the stored bytes, lower-case hexadecimal. */
  sha256: Type.String(),
  /** Bytes of its JSON text. */
  size: Type.Integer(),
});
export type ContentRef = Static<typeof ContentRef>;
