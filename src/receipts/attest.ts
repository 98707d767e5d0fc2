import { LRUCache } from 'lru-cache';
import type { Context } from '#src/system/context.ts';
import type { AnchorAccount } from './check-anchor.ts';
import { jwkOf } from './jwk.ts';
import { keysOf } from './key-manifest.ts';
import type { Receipt } from './receipt-schema.ts';
import { httpRpc } from './rpc.ts';
import { sealKeysOf } from './seal-keys.ts';
import { type Attestation, verifyReceipt } from './verify.ts';

/** How long an answer of the chain that is not final yet serves others that ask the same. */
const freshMs = 5_000;

export interface AttestOptions {
  readonly context: Context;
  readonly accounts: () => Promise<readonly AnchorAccount[]>;
  /** Chain endpoints of the settings; a caller never names one. */
  readonly rpcUrls: () => readonly string[];
}

export interface Attest {
  /** What the receipt itself shows. */
  readonly offline: (receipt: Receipt) => Promise<Attestation>;
  /** The same with the chain asked; what is final is asked once. */
  readonly onChain: (receipt: Receipt) => Promise<Attestation>;
}

/** Checks receipts as everybody else would, with the keys and accounts that this service publishes. */
export function openAttest({ context, accounts, rpcUrls }: AttestOptions): Attest {
  const known = new LRUCache<string, Promise<Attestation>>({ max: 10_000 });
  const verify = async (receipt: Receipt, urls: readonly string[]) => {
    const { manifest } = await sealKeysOf(context)();
    const jwks = { keys: keysOf(manifest).map(({ publicKey }) => jwkOf(publicKey)) };
    const rpc = urls.map((url) => httpRpc(url));
    return await verifyReceipt(receipt, { jwks, manifest, anchors: await accounts(), rpc });
  };
  return {
    offline: async (receipt) => await verify(receipt, []),
    onChain: async (receipt) => {
      const { id, anchor } = receipt;
      const { manifest } = await sealKeysOf(context)();
      // a rotation may change the verdict, and a reorganisation the anchor
      const key = `${id} ${anchor?.block.hash} ${manifest.versions.length}`;
      const found = known.get(key);
      if (found) return await found;
      const asking = verify(receipt, rpcUrls());
      known.set(key, asking, { ttl: freshMs });
      const attestation = await asking.catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
      if (attestation.anchor.finality === 'finalized') known.set(key, asking);
      return attestation;
    },
  };
}
