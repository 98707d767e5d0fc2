import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { ContractBody } from '#src/jobs/registry/contract-body.ts';
import { readContractText } from '#src/jobs/registry/contract-text.ts';
import { MOST_NAMESPACES } from '#src/jobs/registry/namespaces.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { readContracts, type StoredContract } from '#src/jobs/registry/read-contracts.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { noQueue } from '#src/jobs/registry/registry.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { AppError } from '#src/lib/errors.ts';
import { Count, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import { assertMayManage, assertMayRead, mayManageWords, mayReadWords } from './may-use-queues.ts';

const QueueParams = Type.Object({
  name: Type.String({
    minLength: 3,
    maxLength: 100,
    description: 'The queue, as `<namespace>.<verb-noun>`',
    examples: ['acme.resize-image'],
  }),
});

const Version = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Version of the contract: one that is there, or the next; jobs keep the one they were accepted under',
});

const Registration = Type.Object(
  { version: Type.Optional(Version), contract: ContractBody },
  {
    additionalProperties: false,
    description: 'A contract and its version; the first without one',
    examples: [
      {
        contract: {
          title: 'Resize an image',
          payload: {
            type: 'object',
            properties: {
              url: { type: 'string', format: 'uri' },
              width: { type: 'integer', minimum: 1, maximum: 10_000 },
            },
            required: ['url', 'width'],
          },
          result: { type: 'object', properties: { url: { type: 'string', format: 'uri' } }, required: ['url'] },
          attempts: 5,
        },
      },
    ],
  },
);

const ContractView = Type.Object(
  {
    name: Type.String({ description: 'The queue' }),
    version: Version,
    contract: ContractBody,
    digest: Type.String({ description: 'SHA-256 of the contract in its canonical form (RFC 8785), hexadecimal' }),
    registered_by: Type.String({ description: 'Key or session that registered it, or `release` for a built-in queue' }),
    registered_at: Time('When this version was registered'),
    changed_at: Time('When it was last changed in a way that all its payloads still fit'),
  },
  { $id: 'QueueContract', title: 'QueueContract', description: 'Contract of one version of a queue' },
);

const ContractList = Type.Object({
  data: Type.Array(Type.Ref('QueueContract'), { description: 'Every version, the newest first' }),
  versions: Count('Number of versions'),
});

const ContractText = Type.Object(
  {
    name: Type.String({ description: 'The queue' }),
    version: Type.Integer({ description: 'Its version' }),
    digest: Type.String({ description: 'SHA-256 of the contract in its canonical form (RFC 8785), hexadecimal' }),
    // as it is: nothing may be added to what the digest is of
    contract: Type.Unsafe<ContractBody>({ description: 'The contract, exactly' }),
  },
  { title: 'QueueContractText', description: 'Exact text of a contract' },
);

const tags = ['queues'];

/** Routes for the contracts of queues: reading them, and registering one. */
export const queueContractRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addSchema(ContractView);

  app.get(
    '/v1/queues/:name',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'Contracts of a queue of yours, the newest version first',
        description: `Of a queue in a namespace of the caller's owner; an operator reads every one, the built-in ones too. ${mayReadWords}`,
        operationId: 'readQueueContracts',
        params: QueueParams,
        response: { 200: ContractList },
      },
    },
    async (request) => {
      const { name } = request.params;
      const principal = principalOf(request);
      if (!principal.operator) await assertOwnQueue(context, principal, name);
      const found = await readContracts(context, name);
      if (found.length === 0) throw noQueue(name);
      return { data: found.map(contractView), versions: found.length };
    },
  );

  app.get(
    '/v1/queues/:name/contracts/:digest',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'Exact text of a contract, by its digest',
        description: `The contract of now, or one of before that jobs with a receipt were accepted under: a contract may be changed within its version. ${mayReadWords}`,
        operationId: 'readQueueContract',
        params: Type.Object({
          ...QueueParams.properties,
          digest: Type.String({
            pattern: '^[0-9a-f]{64}$',
            description: 'SHA-256 of the contract in its canonical form (RFC 8785), hexadecimal',
          }),
        }),
        response: { 200: ContractText },
      },
    },
    async (request) => {
      const { name, digest } = request.params;
      const principal = principalOf(request);
      if (!principal.operator) await assertOwnQueue(context, principal, name);
      const found = await readContractText(context, name, digest);
      if (found) return { name, digest, ...found };
      throw new AppError('not_found', `expected the digest of a contract of ${name}, got ${digest}.`, {
        field: 'path.digest',
        value: digest,
      });
    },
  );

  app.put(
    '/v1/queues/:name',
    {
      onRequest: assertMayManage,
      preValidation: async ({ body }) => assertShallow(body),
      schema: {
        tags,
        summary: 'Register a queue, or a version of one',
        description: `The first part of the name is a namespace: it belongs to the owner who registers in it first, at most ${MOST_NAMESPACES} to one owner. A change that every payload of before still fits keeps the version; any other is refused with the place, and registered as the next. Every process knows of it within two seconds. The same contract again changes nothing. A decision, a budget or a receipt that it asks for is taken away by a signed-in person or an operator alone. ${mayManageWords}`,
        operationId: 'registerQueue',
        params: QueueParams,
        body: Registration,
        response: {
          200: Type.Ref('QueueContract', { description: 'It was there, or was changed' }),
          201: Type.Ref('QueueContract', { description: 'A new version' }),
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const { version = 1, contract } = request.body;
      const { owner, keyId, session, operator } = principalOf(request);
      const mayLoosen = session !== null || operator;
      const by = keyId === null ? `owner ${owner}` : `key ${keyId}`;
      const done = await registerQueue(context, { name, version, contract, owner, by, mayLoosen });
      const stored = (await readContracts(context, name)).find((one) => one.version === version);
      if (!stored) throw new Error(`expected the contract ${name}@${version} that was registered, got none`);
      return await reply.code(done === 'created' ? 201 : 200).send(contractView(stored));
    },
  );
};

function contractView(stored: StoredContract): Static<typeof ContractView> {
  const { name, version, contract, digest, registeredBy, registeredAt, changedAt } = stored;
  return {
    name,
    version,
    contract,
    digest,
    registered_by: registeredBy,
    registered_at: registeredAt.toISOString(),
    changed_at: changedAt.toISOString(),
  };
}
