import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { AnchorAccount } from './check-anchor.ts';

/** The accounts that anchor for a service, as it publishes them; what others add is let be. */
const Accounts = Type.Object({ accounts: Type.Array(Type.Object({ chain: Type.String(), address: Type.String() })) });

/** Paths at which a service publishes what its receipts are checked with. */
export const trustPaths = {
  jwks: '/.well-known/jwks.json',
  manifest: '/.well-known/seal-manifest.json',
  anchors: '/.well-known/anchor-accounts.json',
  manifestAnchors: '/.well-known/seal-manifest-anchors.json',
} as const;

/** @throws TypeError for a document that lists no accounts. */
export function accountsIn(document: unknown): readonly AnchorAccount[] {
  if (Value.Check(Accounts, document)) return document.accounts;
  throw new TypeError('anchor accounts: expected an object with the list `accounts` of {chain, address}.');
}
