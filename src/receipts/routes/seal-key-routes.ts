import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Jwk, jwkOf } from '#src/receipts/format/jwk.ts';
import { KeyManifest, keysOf } from '#src/receipts/format/key-manifest.ts';
import { sealKeysOf } from '#src/receipts/keys/seal-keys.ts';
import { readManifestAnchors } from '#src/receipts/manifest-anchors.ts';
import type { AnchorAccount } from '#src/receipts/verify/check-anchor.ts';
import { ManifestAnchors } from '#src/receipts/verify/manifest-anchors-schema.ts';
import { trustPaths } from '#src/receipts/verify/read-trust.ts';
import type { Context } from '#src/system/context.ts';

export interface KeyRoutesOptions {
  readonly context: Context;
  /** Every account that anchors or has anchored. */
  readonly accounts: () => Promise<readonly AnchorAccount[]>;
}

const headers = { 'cache-control': 'public, max-age=300' };
const changing = { 'cache-control': 'public, max-age=5' };
const Accounts = Type.Object({
  accounts: Type.Array(
    Type.Object({
      chain: Type.String({ description: 'CAIP-2 id of the chain' }),
      address: Type.String({ description: 'The account, in lower case' }),
    }),
  ),
});

const shared = { tags: ['receipts'], security: [] };

/**
 * Public routes for what receipts are checked with: the public keys, their sealed manifest, and the accounts that
 * anchor.
 */
export const sealKeyRoutes: FastifyPluginAsyncTypebox<KeyRoutesOptions> = async (app, { context, accounts }) => {
  const config = { access: 'public', anyOrigin: true } as const;
  const keys = sealKeysOf(context);

  app.get(
    trustPaths.jwks,
    {
      config,
      schema: {
        ...shared,
        summary: 'Public keys that seal or have sealed receipts, as a JSON Web Key Set',
        operationId: 'readSealKeys',
        response: { 200: Type.Object({ keys: Type.Array(Jwk) }) },
      },
    },
    async (_request, reply) => {
      const { manifest } = await keys();
      return reply.headers(headers).send({ keys: keysOf(manifest).map(({ publicKey }) => jwkOf(publicKey)) });
    },
  );

  app.get(
    trustPaths.manifest,
    {
      config,
      schema: {
        ...shared,
        summary: 'Since when and until when each key seals; every version sealed by the key before',
        operationId: 'readSealManifest',
        response: { 200: KeyManifest },
      },
    },
    async (_request, reply) => reply.headers(headers).send((await keys()).manifest),
  );

  app.get(
    trustPaths.anchors,
    {
      config,
      schema: {
        ...shared,
        summary: 'Accounts that anchor receipts',
        operationId: 'listAnchorAccounts',
        response: { 200: Accounts },
      },
    },
    async (_request, reply) => reply.headers(headers).send({ accounts: [...(await accounts())] }),
  );

  app.get(
    trustPaths.manifestAnchors,
    {
      config,
      schema: {
        ...shared,
        summary: 'List the anchors of each version of the manifest of keys',
        operationId: 'readSealManifestAnchors',
        response: { 200: ManifestAnchors },
      },
    },
    async (_request, reply) => {
      const { manifest } = await keys();
      return reply.headers(changing).send(await readManifestAnchors(context, manifest));
    },
  );
};
