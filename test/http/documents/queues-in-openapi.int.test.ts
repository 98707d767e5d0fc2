import { Ajv2020 } from 'ajv/dist/2020.js';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { openapiFaults } from '#test/helpers/documents/openapi-faults.ts';
import { contract, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const read = async (api: RemoteApi) => (await api.call('GET', '/v1/openapi.json')).json();
const register = async (api: RemoteApi, name: string, body: object) => {
  const answer = await api.call('PUT', `/v1/queues/${name}`, body);
  expect([answer.statusCode, answer.body]).toEqual([201, answer.body]);
};

/** A contract that tries to be more of the document than its two schemas. */
const hostile = {
  title: 'Problem',
  payload: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Problem',
    type: 'object',
    properties: {
      $ref: { type: 'string', default: { $ref: '#/nowhere' } },
      more: { type: 'string', 'x-more': { $ref: '#/nowhere' } },
      node: { $ref: '#/$defs/a%2Dnode' },
      'a/b': true,
      any: { $ref: '#/$defs/any' },
      kind: { enum: ['a', { $ref: '#/nowhere' }] },
    },
    $defs: { 'a-node': { properties: { next: { $ref: '#' }, other: { $ref: '#/properties/a~1b' } } }, any: true },
  },
  result: true,
};

test('the OpenAPI document has the queues that its reader may submit to, with the schemas of their newest versions', async () => {
  await using api = await remoteApi();
  const before = (await api.app.inject('/v1/openapi.json')).json();
  await register(api, 'acme.resize-image', {
    version: 2,
    contract: {
      ...contract,
      payload: { type: 'object', properties: { height: { $ref: '#/$defs/px' } }, $defs: { px: { type: 'integer' } } },
    },
  });
  await register(api, 'acme.walk-trees', { contract: hostile });
  const document = await read(api);
  const { post } = document.paths['/v1/queues/acme.resize-image/jobs'];
  expect(post).toMatchObject({
    operationId: 'submitJob.acme.resize-image',
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/acme.resize-image.result' } } } },
    },
  });
  expect(post.parameters.map(({ name }: { readonly name: string }) => name)).not.toContain('name');
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const fits = (queue: string, body: object) =>
    ajv.validate(
      { $ref: `document#/paths/~1v1~1queues~1${queue}~1jobs/post/requestBody/content/application~1json/schema` },
      body,
    );
  expect(fits('acme.resize-image', { payload: { height: 3 }, version: 2, priority: 7 })).toBe(true);
  expect(fits('acme.resize-image', { payload: { height: 'tall' } })).toBe(false);
  expect(fits('acme.resize-image', { payload: { height: 3 }, version: 1 })).toBe(false);
  expect(fits('acme.walk-trees', { payload: { node: { next: { node: {} } } } })).toBe(true);
  expect(fits('acme.walk-trees', { payload: { node: { next: 7 } } })).toBe(false);
  // nothing of a contract becomes more than its two schemas
  expect(document.components.schemas.Problem).toEqual(before.components.schemas.Problem);
  expect(document.paths['/v1/queues/{name}/jobs']).toEqual(before.paths['/v1/queues/{name}/jobs']);
  const known = await openapiFaults(before);
  expect(await openapiFaults(document)).toEqual(known);
});

test('the OpenAPI document has no queue of another owner, and none for a caller who may not submit', async () => {
  await using api = await remoteApi();
  const pathsFor = async (request: { readonly headers?: object }) =>
    Object.keys((await api.app.inject({ url: '/v1/openapi.json', headers: { ...request.headers } })).json().paths);
  const named = (paths: readonly string[]) => paths.filter((path) => path.includes('acme'));
  expect(named(await pathsFor({}))).toEqual([]);
  expect(named(await pathsFor(await api.key({ owner: 'owner-2', operator: true })))).toEqual([]);
  expect(named(await pathsFor(await api.key({ scopes: ['jobs.work'] })))).toEqual([]);
  expect(named(Object.keys((await read(api)).paths))).toEqual(['/v1/queues/acme.resize-image/jobs']);
});

test('the OpenAPI document describes 500 queues, and says how many there are', async () => {
  await using api = await remoteApi();
  const rows = Array.from({ length: 505 }, (_, index) => [`many-${index % 2}.count-${index}`, `many-${index % 2}`]);
  await insertQueues(api, rows);
  const { info, paths } = await read(api);
  const concrete = Object.keys(paths).filter((path) => /^\/v1\/queues\/[^{]+\.[^{]+\/jobs$/.test(path));
  expect(concrete).toHaveLength(500);
  expect(info.description).toContain('Of your 506 queues this document describes 500');
});

/** Writes contracts straight into the registry: it takes no more than 500 of one namespace, and each by a request. */
async function insertQueues(api: RemoteApi, rows: readonly (readonly string[])[]): Promise<void> {
  for (const namespace of new Set(rows.map(([, name]) => name!)))
    await api.context.db.query(sql.unsafe`insert into namespaces (name, owner) values (${namespace}, 'owner-1')`);
  const body = sql.jsonb({ title: 'Counts', payload: true, result: true });
  const names = sql.array(
    rows.map(([name]) => name!),
    'text',
  );
  await api.context.db.query(sql.unsafe`
    insert into queues (name, version, namespace, contract, digest, registered_by)
    select name, 1, split_part(name, '.', 1), ${body}, md5(name), 'test' from unnest(${names}) as name`);
  await registryOf(api.context).refresh();
}
