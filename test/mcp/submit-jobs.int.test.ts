import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { contract, remoteApi } from '#test/http/workers/remote.ts';
import { connect } from './mcp-api.ts';

test('a tool submits a job with a receiver of its end, and gets it again under its key', async () => {
  await using api = await remoteApi();
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { secret } = await api.key();
  await using one = await connect(new URL('/api/mcp', url), secret);
  const submit = async () => {
    const { structuredContent } = await one.client.callTool({
      name: 'job_submit',
      arguments: {
        queue: 'acme.resize-image',
        payload: { width: 1 },
        idempotencyKey: 'once',
        webhook: { url: 'https://receiver.example/ends' },
      },
    });
    return structuredContent as { readonly id: string };
  };
  const { id } = await submit();
  const payload = { ...contract.payload, required: ['width', 'height'], properties: { width: {}, height: {} } };
  await api.call('PUT', '/v1/queues/acme.resize-image', { version: 2, contract: { ...contract, payload } });
  expect((await submit()).id).toBe(id);
  const kept = await api.context.db.any(sql.unsafe`
    select e.url from job_webhooks w join webhook_endpoints e on e.id = w.endpoint where w.job = ${id}`);
  expect(kept).toEqual([{ url: 'https://receiver.example/ends' }]);
});
