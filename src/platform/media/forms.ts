import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';
import { readFields } from './read-fields.ts';
import { readForm, type Uploads } from './uploads.ts';

/** Bytes that a form may have beside its files. */
const AROUND_FILES = 1_048_576;

export interface Forms {
  /** For a route that takes files, in forms or as data URLs in JSON. */
  readonly taking: (body: TSchema) => Pick<RouteShorthandOptions, 'bodyLimit' | 'preParsing' | 'preValidation'>;
  /** The files that came with a request; none where it was JSON. */
  readonly uploadsOf: (request: FastifyRequest) => Uploads;
  /** Gives back the share of this process's memory that the request held. */
  readonly release: (request: FastifyRequest) => void;
}

/** Reads the bodies of requests with files. The memory of all of them together is bounded by UPLOAD_TOTAL_BYTES. */
export function openForms(context: Context): Forms {
  const { MEDIA_UPLOAD_MAX_BYTES: most, BODY_LIMIT_BYTES } = context.config;
  // as data URLs, files are a third longer
  const bodyLimit = Math.ceil((most * 4) / 3) + BODY_LIMIT_BYTES;
  const rooms = new WeakMap<FastifyRequest, () => void>();
  const uploads = new WeakMap<FastifyRequest, Uploads>();

  const takeRoom = (request: FastifyRequest, reply: FastifyReply) => {
    const length = Number(request.headers['content-length'] ?? bodyLimit);
    if (length > bodyLimit || (request.isMultipart() && length > most + AROUND_FILES)) {
      throw new AppError('payload_too_large', `expected at most ${most} bytes of files, got a body of ${length}.`);
    }
    // before the body is read: afterwards it is in memory
    const giveBack = uploadBudget(context)(length);
    rooms.set(request, giveBack);
    reply.raw.once('close', giveBack);
  };

  return {
    taking: (body) => ({
      bodyLimit,
      preParsing: async (request, reply, payload) => {
        takeRoom(request, reply);
        return payload;
      },
      preValidation: async (request) => {
        if (!request.isMultipart()) return;
        const form = await readForm(context, request);
        uploads.set(request, form.uploads);
        request.body = readFields(body, form.body);
      },
    }),
    uploadsOf: (request) => uploads.get(request) ?? new Map(),
    release: (request) => rooms.get(request)?.(),
  };
}

/** For a route that takes JSON alone, where forms can be read. */
export const jsonAlone: Pick<RouteShorthandOptions, 'preValidation'> = {
  preValidation: async (request) => {
    if (!request.isMultipart()) return;
    throw new AppError('unsupported_media_type', 'expected Content-Type application/json, got multipart/form-data.');
  },
};
