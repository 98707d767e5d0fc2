import type { QueueContract } from '#queues/define.ts';
import { textOf } from '#src/jobs/registry/contract-text.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { isJson, type Json, nameIn, type OpenApiDocument, type Operation, refTo } from './document.ts';
import { plainForeign } from './plain-foreign.ts';

/** Queues that one document describes. */
const MOST_QUEUES = 500;
/** Characters of JSON that their schemas may have together: a caller asks for the document as often as for anything. */
const MOST_CHARACTERS = 4_194_304;

const general = '/v1/queues/{name}/jobs';

type Document = OpenApiDocument & { readonly info?: Json };

/**
 * Adds a path for each queue that a caller may submit to, with the payload and result of its newest version. Without such
 * a caller the document is answered as it is.
 */
export function addQueues<T extends object>(document: T, context: Context, principal: Principal | null): T {
  const own: Document = document;
  const submit = own.paths?.[general]?.['post'];
  if (!submit || !principal?.scopes.includes('jobs.submit')) return document;
  const registry = registryOf(context);
  const queues = registry.all().filter(({ name }) => registry.ownerOf(name) === principal.owner);
  if (queues.length === 0) return document;
  const described = withinBounds(queues);
  const parts = described.map((queue) => ({ queue, ...schemasOf(queue) }));
  const schemas = parts.flatMap(({ queue: { name }, payload, result }) => [
    [`${name}.payload`, payload] as const,
    [`${name}.result`, result] as const,
  ]);
  const paths = parts.map(({ queue }) => [general.replace('{name}', queue.name), { post: post(own, submit, queue) }]);
  const left = queues.length - described.length;
  const said = `Of your ${queues.length} queues this document describes ${described.length}, the others are submitted to by \`${general}\` in the same way.`;
  return {
    ...own,
    ...(left > 0 && { info: { ...own.info, description: `${String(own.info?.['description'])}\n\n${said}` } }),
    paths: { ...own.paths, ...Object.fromEntries(paths) },
    components: { ...own.components, schemas: { ...own.components?.['schemas'], ...Object.fromEntries(schemas) } },
  } as unknown as T;
}

interface Schemas {
  readonly payload: Json;
  readonly result: Json;
  /** Characters of both. */
  readonly characters: number;
}

const known = new WeakMap<QueueContract, Schemas>();

/** Writes the schemas of a contract as components, once a contract. */
function schemasOf(queue: QueueContract): Schemas {
  const found = known.get(queue);
  if (found) return found;
  const { body } = textOf(queue);
  const { $ref: payloadPlace } = refTo(`${queue.name}.payload`);
  const { $ref: resultPlace } = refTo(`${queue.name}.result`);
  const payload = plainForeign(body.payload, String(payloadPlace));
  const result = plainForeign(body.result, String(resultPlace));
  const made = { payload, result, characters: JSON.stringify([payload, result]).length };
  known.set(queue, made);
  return made;
}

/** Takes the first queues by name that there is room for. */
function withinBounds(queues: readonly QueueContract[]): readonly QueueContract[] {
  let characters = 0;
  const beyond = queues.slice(0, MOST_QUEUES).findIndex((queue) => {
    characters += schemasOf(queue).characters;
    return characters > MOST_CHARACTERS;
  });
  return queues.slice(0, beyond < 0 ? MOST_QUEUES : beyond);
}

/** The operation of one queue: that of all queues, without its name to fill in and with its own schemas. */
function post(document: Document, submit: Operation, { name, version, title }: QueueContract): Operation {
  const taken = submit.requestBody?.content?.['application/json']?.schema;
  const body = document.components?.['schemas']?.[nameIn(taken) ?? ''] ?? {};
  const { title: _title, properties, examples: _examples, ...rest } = body;
  const schema = {
    ...rest,
    properties: {
      ...(isJson(properties) ? properties : {}),
      payload: refTo(`${name}.payload`),
      version: { type: 'integer', const: version, description: 'The newest version of the contract' },
    },
  };
  const answer = submit.responses?.['200'];
  return {
    ...submit,
    operationId: `submitJob.${name}`,
    summary: `Submit a job of ${name}`,
    description: `${title}\n\n${String(submit['description'])}`,
    parameters: submit.parameters?.filter((parameter) => parameter.in !== 'path') ?? [],
    requestBody: { ...submit.requestBody, content: { 'application/json': { schema } } },
    responses: {
      ...submit.responses,
      '200': { ...answer, content: { 'application/json': { schema: refTo(`${name}.result`) } } },
    },
  };
}
