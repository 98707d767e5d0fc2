import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { dispositionOf, safeType } from '#src/http/content/content-name.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { AppError } from '#src/lib/errors.ts';
import { assetBytes } from '#src/providers/assets/assets.ts';
import { soundFormats } from '#src/providers/catalogue/sound-formats.ts';
import type { Context } from '#src/system/context.ts';
import { captions } from './audio-works.ts';
import { type MadeResult, madeAssets, presentTranscript, TranscriptAnswer } from './present.ts';

interface Ready {
  readonly context: Context;
  readonly job: Job;
  readonly result: MadeResult;
  readonly body: object;
}

/** Answer of a route that is not its work's JSON. */
interface Answer {
  readonly answer: (ready: Ready, reply: FastifyReply) => Promise<unknown>;
  /** The 200 of its description. */
  readonly documented: object;
}

const bytes = { schema: Type.String({ format: 'binary' }) };
const text = { schema: Type.String() };

/** Routes that answer bytes or text, by the path of their work. */
export const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    '/audio/speech',
    {
      answer: answerSound,
      documented: {
        description: 'The sound; `Content-Type` says which format',
        content: Object.fromEntries(Object.values(soundFormats).map((type) => [type, bytes])),
      },
    },
  ],
  [
    '/audio/transcriptions',
    {
      answer: answerTranscript,
      documented: {
        description: 'Text of the recording',
        content: {
          'application/json': { schema: TranscriptAnswer },
          'text/plain': text,
          ...Object.fromEntries(Object.values(captions).map((type) => [type, text])),
        },
      },
    },
  ],
]);

/** Answers the bytes of the first sound that was made. */
async function answerSound({ context, job, result }: Ready, reply: FastifyReply): Promise<Uint8Array> {
  const sound = (await madeAssets(context, job, result)).find(({ kind }) => kind === 'audio');
  if (!sound)
    throw new AppError('invalid_result', 'expected sound as the result of the job, got none.', { job: job.id });
  const type = safeType(sound.mediaType);
  reply.header('content-disposition', dispositionOf(sound.name, type)).type(type);
  return await assetBytes(context, sound);
}

async function answerTranscript({ context, job, result, body }: Ready, reply: FastifyReply): Promise<unknown> {
  const { response_format: format = 'json' } = body as { readonly response_format?: string };
  const answer = await presentTranscript(context, job, result);
  if (format === 'json') return answer;
  reply.type(captions[format] ?? 'text/plain; charset=utf-8');
  return answer.text;
}
