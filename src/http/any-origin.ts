import type { FastifyReply } from 'fastify';

/** Lets pages of any origin read this answer: what it says is public, and no cookie counts for it. */
export async function anyOrigin(_request: unknown, reply: FastifyReply): Promise<void> {
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
}
