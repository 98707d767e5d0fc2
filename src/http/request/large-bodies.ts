import type { RouteShorthandOptions } from 'fastify';
import type { Context } from '#src/system/context.ts';
import { uploadBudget } from '#src/system/outside/upload-budget.ts';

/**
 * For a route of JSON whose bodies may be longer than BODY_LIMIT_BYTES: up to TEXT_BODY_LIMIT_BYTES, and those that are
 * longer take room of UPLOAD_TOTAL_BYTES until their answer is through; one in chunks, which does not say how long it
 * is, takes all that it may need until it is read.
 */
export function largeBodies(context: Context): Pick<RouteShorthandOptions, 'bodyLimit' | 'preParsing'> {
  const { TEXT_BODY_LIMIT_BYTES: most, BODY_LIMIT_BYTES: usual } = context.config;
  return {
    bodyLimit: Math.max(most, usual),
    preParsing: async (request, reply, payload) => {
      const declared = request.headers['content-length'];
      const length = declared === undefined ? most : Number(declared);
      if (length <= usual || length > most) return payload;
      const giveBack = uploadBudget(context)(length);
      reply.raw.once('close', giveBack);
      if (declared === undefined) payload.once('end', giveBack);
      return payload;
    },
  };
}
