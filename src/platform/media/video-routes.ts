import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { dispositionOf, safeType } from '#src/http/content/content-name.ts';
import { ContentHeaders, contentAnswers, sendContent } from '#src/http/content/send-content.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { acceptJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import { assertWebhook, keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import { eraseAsset } from '#src/providers/assets/asset-retention.ts';
import type { Asset } from '#src/providers/assets/assets.ts';
import type { Context } from '#src/system/context.ts';
import { openForms } from './forms.ts';
import { openIntake } from './open-intake.ts';
import { type MadeResult, madeAssets } from './present.ts';
import { forgetVideo, listVideos, readVideo, type Video } from './video-store.ts';
import { VideoView, videoView } from './video-view.ts';
import { CreateVideo, videoWork } from './video-work.ts';

const Params = Type.Object({ id: Type.String({ format: 'uuid', description: 'The film' }) });
const VideoRef = Type.Ref('Video');
const tags = ['openai'];

/** Films under the paths and in the words of clients of OpenAI's kind; each is a job like any other. */
export const videoRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  await app.register(multipart);
  app.addSchema(VideoView);
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  const forms = openForms(context);

  const ownVideo = async (request: FastifyRequest): Promise<Video> => {
    const { id } = request.params as { readonly id: string };
    const video = await readVideo(context, principalOf(request).owner, id);
    if (video) return video;
    throw new AppError('not_found', `expected the id of one of your films, got ${id}, which is none.`, {
      field: 'path.id',
    });
  };

  app.post(
    '/videos',
    {
      config: { scope: 'platform.mcp.execute' },
      ...forms.taking(CreateVideo),
      schema: {
        tags,
        summary: 'Have a film made from words, or from a picture and words',
        description: 'Answers at once; the film is read until it is completed.',
        operationId: 'createVideo',
        consumes: ['application/json', 'multipart/form-data'],
        headers: WorkHeaders,
        body: CreateVideo,
        response: { 200: VideoRef },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { body } = request;
      if (body.webhook) assertWebhook(context.config, body.webhook);
      const intake = openIntake(context, principal.owner, forms.uploadsOf(request));
      const job = await acceptJob(context, request, reply, videoWork.queue, {
        payload: async () => await videoWork.payload(context, principal, body, intake),
        refused: intake.abandon,
        accepted: async (accepted) => {
          forms.release(request);
          await videoWork.accepted?.(context, accepted, body);
          if (body.webhook) await keepWebhook(context, principal, accepted, body.webhook);
        },
      });
      return videoView(context, { ...job, asked: body });
    },
  );

  app.get(
    '/videos',
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'List your films',
        operationId: 'listVideos',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Films per page' }),
          after: Type.Optional(Type.String({ format: 'uuid', description: '`last_id` of the page before' })),
          order: Type.Enum(['asc', 'desc'], {
            type: 'string',
            default: 'desc',
            description: 'Order by the time of the request',
          }),
        }),
        response: {
          200: Type.Object({
            object: Type.Enum(['list'], { type: 'string' }),
            data: Type.Array(VideoRef),
            first_id: Type.Union([Type.String(), Type.Null()]),
            last_id: Type.Union([Type.String(), Type.Null()]),
            has_more: Type.Boolean(),
          }),
        },
      },
    },
    async (request) => {
      const { limit, after, order } = request.query;
      const found = await listVideos(context, principalOf(request).owner, { after, order, limit: limit + 1 });
      const data = found.slice(0, limit).map((video) => videoView(context, video));
      const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
      return { object: 'list' as const, data, first_id: first, last_id: last, has_more: found.length > limit };
    },
  );

  app.get(
    '/videos/:id',
    {
      config: { scope: 'platform.mcp.read' },
      schema: { tags, summary: 'Read a film', operationId: 'readVideo', params: Params, response: { 200: VideoRef } },
    },
    async (request) => videoView(context, await ownVideo(request)),
  );

  app.delete(
    '/videos/:id',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Delete a film: its bytes, and its job where it is still at work',
        operationId: 'deleteVideo',
        params: Params,
        response: {
          200: Type.Object({
            id: Type.String(),
            object: Type.Enum(['video.deleted'], { type: 'string' }),
            deleted: Type.Boolean(),
          }),
        },
      },
    },
    async (request) => {
      const video = await ownVideo(request);
      if (!isTerminal(video.state)) await cancelJob(context, video.id, video.owner, 'its film was deleted');
      const assets = video.state === 'succeeded' ? await madeAssets(context, video, video.result as MadeResult) : [];
      for (const asset of assets) if (!asset.erasedAt) await eraseAsset(context, asset);
      await forgetVideo(context, video.id);
      return { id: video.id, object: 'video.deleted' as const, deleted: true };
    },
  );

  const Variant = Type.Object({
    variant: Type.Enum(['video', 'thumbnail'], {
      type: 'string',
      default: 'video',
      description: 'Variant to download',
    }),
  });
  const sendVideo = async (request: FastifyRequest, reply: FastifyReply, variant: 'video' | 'thumbnail') => {
    const { id, name, sha256, size, mediaType } = await contentOf(context, await ownVideo(request), variant);
    const type = safeType(mediaType);
    const disposition = dispositionOf(name, type);
    return await sendContent(context, request, reply, { what: `asset ${id}`, sha256, size, type, disposition });
  };
  app.get(
    '/videos/:id/content',
    {
      exposeHeadRoute: false,
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'Read the bytes of a film, or of a picture of it, or a part of them',
        operationId: 'readVideoContent',
        params: Params,
        querystring: Variant,
        headers: ContentHeaders,
        response: contentAnswers('video/mp4', 'image/png', 'image/jpeg'),
      },
    },
    async (request, reply) => await sendVideo(request, reply, request.query.variant),
  );
  app.head(
    '/videos/:id/content',
    {
      config: { scope: 'platform.mcp.read' },
      schema: { hide: true, params: Params, querystring: Variant, headers: ContentHeaders },
    },
    async (request, reply) => await sendVideo(request, reply, request.query.variant),
  );
};

/** @throws AppError `state_conflict` as long as there is none, `not_found` where there will be none. */
async function contentOf(context: Context, video: Video, variant: 'video' | 'thumbnail'): Promise<Asset> {
  const { id, state } = video;
  if (state !== 'succeeded')
    throw new AppError('state_conflict', `expected a film that is completed, got ${id}, whose job is ${state}.`);
  const assets = await madeAssets(context, video, video.result as MadeResult);
  const film = assets.find(({ kind }) => kind === 'video');
  const found = variant === 'video' ? film : assets.find((asset) => asset.id === film?.thumbnail);
  if (found && !found.erasedAt) return found;
  throw new AppError('not_found', `expected a film with a ${variant} that is still stored, got ${id}, which has none.`);
}
