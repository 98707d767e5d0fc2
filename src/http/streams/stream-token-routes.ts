import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { type StreamKindName, streamKinds } from '#src/access/stream-tokens/stream-token.ts';
import { makeToken, revokeToken } from '#src/access/stream-tokens/token-store.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { mayKnow } from '#src/jobs/registry/own-queue.ts';
import { noQueue, registryOf } from '#src/jobs/registry/registry.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

const HOUR_S = 3_600;

const TokenBody = Type.Object(
  {
    job: Type.Optional(Type.String({ format: 'uuid', description: 'A job: its events' })),
    flow: Type.Optional(Type.String({ format: 'uuid', description: 'A flow: its events' })),
    queue: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 100,
        description: 'A queue: changes of your jobs in it (`/v1/jobs/events`)',
      }),
    ),
    symbol: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9.^-]{1,20}$',
        description: 'An underlying: its market (`/v1/stream/{symbol}`)',
      }),
    ),
    ttl_s: Type.Optional(
      Type.Integer({ minimum: 10, maximum: HOUR_S, description: 'Seconds for which it is valid; 300 without it' }),
    ),
  },
  {
    additionalProperties: false,
    description: 'The one stream that it opens: exactly one of `job`, `flow`, `queue`, `symbol`',
    examples: [{ queue: 'acme.resize-image', ttl_s: 600 }],
  },
);

const TokenAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Names it, to revoke it' }),
    token: Type.String({ description: 'The token; it is not shown again' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'End of its time; streams that it has opened end then',
    }),
    sse: Type.String({ description: 'Address for an EventSource, with the token' }),
    websocket: Type.String({ description: 'Path for a WebSocket, with the token' }),
  },
  { title: 'StreamToken', description: 'A token that opens one stream' },
);

/** Paths of the streams that tokens open, by their kind. */
const paths: Readonly<Record<StreamKindName, (subject: string) => readonly [sse: string, websocket: string]>> = {
  job: (id) => [`/v1/jobs/${id}/events`, `/ws/v1/jobs/${id}`],
  flow: (id) => [`/v1/jobs/${id}/events`, `/ws/v1/jobs/${id}`],
  queue: () => ['/v1/jobs/events', '/ws/v1/jobs'],
  symbol: (symbol) => [`/v1/stream/${symbol}`, `/ws/v1/stream/${symbol}`],
};

const tags = ['jobs'];

/** Tokens by which a browser follows one stream without a key. */
export const streamTokenRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.post(
    '/v1/stream-tokens',
    {
      schema: {
        tags,
        summary: 'Make a token that opens one stream',
        description:
          'For browsers: it opens that stream and nothing else, for an hour at most. Revoked, or with the key, session or role that made it, it ends within 5 s, and so do its streams.',
        operationId: 'createStreamToken',
        body: TokenBody,
        response: { 201: TokenAnswer },
      },
    },
    async (request, reply) => {
      const { kind, subject } = wantedOf(request.body);
      const owner = await ownerOf(context, request, kind, subject);
      const seconds = request.body.ttl_s ?? 300;
      const made = await makeToken(context, principalOf(request), { owner, kind, subject, seconds });
      const [sse, websocket] = paths[kind](subject).map((path) => `${path}?token=${made.token}`) as [string, string];
      return await reply
        .code(201)
        .send({ id: made.id, token: made.token, expires_at: made.expiresAt.toISOString(), sse, websocket });
    },
  );

  app.delete(
    '/v1/stream-tokens/:id',
    {
      schema: {
        tags,
        summary: 'Revoke a stream token',
        description: 'Streams that it has opened end within 5 s.',
        operationId: 'revokeStreamToken',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The token, by its id' }) }),
        response: { 204: Type.Null({ description: 'It opens nothing any more' }) },
      },
    },
    async (request, reply) => {
      await revokeToken(context, principalOf(request), request.params.id);
      return await reply.code(204).send(null);
    },
  );
};

function wantedOf(body: Static<typeof TokenBody>): { readonly kind: StreamKindName; readonly subject: string } {
  const named = streamKinds.filter((kind) => body[kind] !== undefined);
  const [kind] = named;
  if (kind !== undefined && named.length === 1) {
    const subject = body[kind] ?? '';
    return { kind, subject: kind === 'symbol' ? subject.toUpperCase() : subject };
  }
  throw new AppError(
    'invalid_request',
    `body: expected exactly one of ${streamKinds.join(', ')}, got ${named.join(' and ') || 'none'}.`,
    { field: 'body' },
  );
}

/** Owner of what a stream tells. @throws AppError `not_found` for a job or a queue that the caller may not see */
async function ownerOf(
  context: Context,
  request: FastifyRequest,
  kind: StreamKindName,
  subject: string,
): Promise<string> {
  const { owner, operator } = principalOf(request);
  if (kind === 'symbol') return owner;
  if (kind === 'queue') {
    // one that is not there would be silent for ever
    const there = await registryOf(context).find(subject);
    if (there && mayKnow(context, operator ? null : owner, subject)) return owner;
    throw noQueue(subject, 'body.queue');
  }
  const job = await readJob(context, subject);
  const isKind = kind === 'job' || job?.queue === flowQueue.name;
  if (job && isKind && (operator || job.owner === owner)) return job.owner;
  throw new AppError('not_found', `expected the id of one of your ${kind}s, got ${subject}, which is none.`, {
    field: `body.${kind}`,
    value: subject,
  });
}
