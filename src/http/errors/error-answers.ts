import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from './error-handler.ts';

type Answer = typeof answerError;

declare module 'fastify' {
  interface FastifyInstance {
    /** How errors below a path are answered, by that path, where not as problem details. */
    ownErrors: Map<string, (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply>;
  }
}

/** Lets surfaces answer errors in their own shape, also those that come before there is a route. */
export function allowOwnErrors(app: FastifyInstance): void {
  app.decorate('ownErrors', new Map<string, Answer>());
}

/** Answers an error of a request that no route was found for yet. */
export function answerErrorAt(
  { ownErrors }: FastifyInstance,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [, own] = [...ownErrors].find(([path]) => request.url.startsWith(`${path}/`)) ?? [];
  return (own ?? answerError)(error, request, reply);
}
