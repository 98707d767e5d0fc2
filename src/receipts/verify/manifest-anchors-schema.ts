import { type Static, Type } from 'typebox';
import { Anchor, closed } from '#src/receipts/format/receipt-schema.ts';

const ManifestAnchor = closed(
  {
    version: Type.Integer({ minimum: 1, description: 'The version of the manifest' }),
    root: Type.String({ pattern: '^0x[0-9a-f]{64}$', description: 'RFC 6962 leaf hash of its canonical body' }),
    anchor: Type.Union([Anchor, Type.Null()], { description: 'Anchor of that root on the chain; null until it has' }),
  },
  { title: 'ManifestAnchor' },
);
export type ManifestAnchor = Static<typeof ManifestAnchor>;

/** Anchors of each version of the manifest of keys. */
export const ManifestAnchors = closed(
  { versions: Type.Array(ManifestAnchor, { description: 'As the manifest' }) },
  { title: 'ManifestAnchors' },
);
export type ManifestAnchors = Static<typeof ManifestAnchors>;
