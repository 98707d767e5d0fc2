import { httpRpc, type Rpc } from '#src/lib/json-rpc.ts';
import { jwkOf } from '#src/receipts/format/jwk.ts';
import { keysOf } from '#src/receipts/format/key-manifest.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import type { Context } from '#src/system/context.ts';
import type { AnchorAccount } from './check-anchor.ts';
import { rememberChain } from './remember-chain.ts';
import { type Attestation, verifyReceipt } from './verify.ts';

export interface AttestOptions {
  readonly context: Context;
  readonly accounts: () => Promise<readonly AnchorAccount[]>;
  /** Chain endpoints of the settings; a caller never names one. */
  readonly rpcUrls: () => readonly string[];
}

export interface Attest {
  /** Checks what the receipt itself shows, and whether it is the one of this id. */
  readonly offline: (receipt: Receipt, id: string) => Promise<Attestation>;
  /**
   * The same with queries to the chain. Its answer about a transaction may be remembered; the receipt is checked every
   * time.
   */
  readonly onChain: (receipt: Receipt, id: string) => Promise<Attestation>;
}

/** Checks receipts as everybody else would, with the keys and accounts that this service publishes. */
export function openAttest({ context, accounts, rpcUrls }: AttestOptions): Attest {
  const endpoints = new Map<string, Rpc>();
  const read = rememberChain();
  const endpoint = (url: string): Rpc => {
    const rpc = endpoints.get(url) ?? httpRpc(url);
    endpoints.set(url, rpc);
    return rpc;
  };
  const verify = async (receipt: Receipt, id: string, urls: readonly string[]) => {
    const { manifest } = await sealKeysOf(context)();
    const jwks = { keys: keysOf(manifest).map(({ publicKey }) => jwkOf(publicKey)) };
    const rpc = urls.map(endpoint);
    const trust = { jwks, manifest, anchors: await accounts(), rpc, readChain: read, requestedId: id.toLowerCase() };
    return await verifyReceipt(receipt, trust);
  };
  return {
    offline: async (receipt, id) => await verify(receipt, id, []),
    onChain: async (receipt, id) => await verify(receipt, id, rpcUrls()),
  };
}
