import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { listNamespaces, MOST_NAMESPACES } from '#src/jobs/registry/namespaces.ts';
import { registerQueue } from '#src/jobs/registry/register-queue.ts';
import { openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

const contract = { title: 'Count', payload: { type: 'object' }, result: { type: 'object' } };

test('error: an owner gets so many namespaces and no more, also where two ask for the last one at once', async () => {
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig());
  const context = stack.use(await openContext(config, 'api'));
  const register = async (name: string, owner = 'acme') =>
    await registerQueue(context, { name, version: 1, contract, owner, by: 'key 1' });
  await context.db.query(sql.unsafe`
    insert into namespaces (name, owner) select 'acme-' || n, 'acme' from generate_series(2, ${MOST_NAMESPACES}) n`);
  const both = await Promise.allSettled([register('one.count'), register('two.count')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'quota_exceeded', details: { limit: MOST_NAMESPACES } },
  });
  expect(await listNamespaces(context, 'acme')).toHaveLength(MOST_NAMESPACES);
  // what they have goes on, and others are not in their way
  expect(await register('acme-2.count')).toBe('created');
  expect(await register('three.count', 'eve')).toBe('created');
});
