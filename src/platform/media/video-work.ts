import { type Static, Type } from 'typebox';
import type { generate } from '#queues/providers.ts';
import type { IntakeInput } from '#src/platform/edge/intake.ts';
import type { PlatformWork } from '#src/platform/edge/work.ts';
import { FromImageBody, fromImage, fromWords, VideoBody } from './film-works.ts';
import { keepVideo } from './video-store.ts';
import { videoView } from './video-view.ts';

export const CreateVideo = Type.Object(
  { ...VideoBody.properties, input_reference: Type.Optional(FromImageBody.properties.image) },
  { title: 'VideoCreation', additionalProperties: false },
);
export type CreateVideo = Static<typeof CreateVideo>;

/** A film in the words of clients of OpenAI's kind, from words or from a picture; it can be read as one afterwards. */
export const videoWork: PlatformWork<typeof generate, CreateVideo> = {
  path: '/videos',
  aliases: [],
  body: CreateVideo,
  queue: fromWords.queue,
  payload: async (context, principal, { input_reference: image, ...request }, intake) => {
    if (image === undefined) return await fromWords.payload(context, principal, request, intake);
    const named = {
      ...intake,
      take: async (input: IntakeInput) => await intake.take({ ...input, field: 'input_reference' }),
    };
    return await fromImage.payload(context, principal, { ...request, image }, named);
  },
  accepted: async (context, job, body) => await keepVideo(context, job, body),
  present: async (context, job, _result, body) => videoView(context, { ...job, asked: body ?? { prompt: '' } }),
};
