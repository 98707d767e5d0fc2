import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { dispositionOf, safeType } from './content-name.ts';
import { ContentHeaders, contentAnswers, type Sendable, sendContent } from './send-content.ts';

/** An asset that can be sent, without its bytes. */
interface Artefact {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
  readonly erasedAt: Date | null;
}

export interface ArtefactRoutesOptions {
  readonly context: Context;
  /** Finds the asset of this id, of any owner. */
  readonly find: (id: string) => Promise<Artefact | null>;
  readonly checkLink: (
    artefact: { readonly sha256: string; readonly id: string },
    link: { readonly expires: number; readonly signature: string },
  ) => 'valid' | 'expired' | 'forged';
}

const Params = Type.Object({
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the bytes, lower-case hexadecimal' }),
});
const Query = Type.Object({
  asset: Type.String({ format: 'uuid', description: 'The asset whose bytes they are' }),
  expires: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 9_999_999_999,
      description: 'Expiry of a signed link, in seconds since 1970',
    }),
  ),
  signature: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Signature of a signed link' })),
});
type ArtefactQuery = Static<typeof Params> & Static<typeof Query>;

/** Routes for the bytes of assets: for the owner's key, or a caller with a link that we signed. */
export const artefactRoutes: FastifyPluginAsyncTypebox<ArtefactRoutesOptions> = async (app, options) => {
  const { context } = options;

  app.get(
    '/v1/artefacts/:sha256',
    {
      // one handler for HEAD as well: the one that Fastify makes would read the file to throw it away
      exposeHeadRoute: false,
      config: { access: 'public' },
      schema: {
        ...documentation('Read the bytes of an asset, or a part of them', 'readArtefact'),
        response: contentAnswers('application/octet-stream'),
      },
    },
    async (request, reply) => {
      return await sendContent(context, request, reply, await findSendable(options, request));
    },
  );

  app.head(
    '/v1/artefacts/:sha256',
    {
      config: { access: 'public' },
      schema: {
        ...documentation('Read what there is to say of the bytes of an asset', 'headArtefact'),
        response: {
          200: { description: 'As of GET, without the bytes', type: 'null' },
          304: { description: 'The client has it: `If-None-Match` names its digest', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      return await sendContent(context, request, reply, await findSendable(options, request));
    },
  );
};

function documentation(summary: string, operationId: string) {
  return {
    tags: ['artefacts'],
    summary,
    description:
      'For the key of its owner, or by a signed link, which needs no key and expires. The entity tag is the digest of the bytes.',
    operationId,
    security: [{}, { bearer: [] }, { apiKey: [] }],
    params: Params,
    querystring: Query,
    headers: ContentHeaders,
  };
}

async function findSendable(options: ArtefactRoutesOptions, request: FastifyRequest): Promise<Sendable> {
  const query = { ...(request.params as Static<typeof Params>), ...(request.query as Static<typeof Query>) };
  const { id, sha256, size, name, mediaType } = await findAllowed(options, request, query);
  const type = safeType(mediaType);
  return { what: `asset ${id}`, sha256, size, type, disposition: dispositionOf(name, type) };
}

/** @throws AppError `unauthorized`, `forbidden` for a link that is not right, or `not_found` as if it did not exist. */
async function findAllowed(
  options: ArtefactRoutesOptions,
  request: FastifyRequest,
  query: ArtefactQuery,
): Promise<Artefact> {
  const isLinked = isSigned(options, request, query);
  const caller = isLinked ? null : principalOf(request).owner;
  const artefact = await options.find(query.asset.toLowerCase());
  const isTheirs = artefact && artefact.sha256 === query.sha256 && (caller === null || artefact.owner === caller);
  if (!isTheirs) {
    throw new AppError('not_found', `expected an asset of yours and its digest, got ${query.asset}, which is none.`);
  }
  if (artefact.erasedAt === null) return artefact;
  const at = artefact.erasedAt.toISOString();
  const message = `expected an asset that is still kept, got ${artefact.id}, whose bytes were erased ${at} by retention.`;
  throw new AppError('not_found', message, { erased_at: at });
}

/** Checks whether the request comes by a link of ours; a key of the owner does without. */
function isSigned({ checkLink }: ArtefactRoutesOptions, { principal }: FastifyRequest, query: ArtefactQuery): boolean {
  const { sha256, asset, expires, signature } = query;
  if (expires === undefined && signature === undefined) return false;
  const verdict =
    expires === undefined || signature === undefined
      ? 'forged'
      : checkLink({ sha256, id: asset }, { expires, signature });
  if (verdict === 'valid') return true;
  if (principal) return false;
  const expected = verdict === 'expired' ? 'a link that has not expired' : 'a link as it was signed';
  throw new AppError(
    'forbidden',
    `expected ${expected}, or a key of the owner, got one that ${verdict === 'expired' ? 'has' : 'was not'}.`,
    { reason: verdict === 'expired' ? 'link_expired' : 'link_invalid' },
  );
}
